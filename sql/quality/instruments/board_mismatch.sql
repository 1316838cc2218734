-- One row per watched stock whose vendor board contradicts the board its code belongs to: a wrong limit would follow.
select
    instruments.symbol as subject,
    instruments.board,
    watched.board as board_of_code,
    '数据源称 ' || instruments.board || '，代码属于 ' || watched.board as note
from checked_instruments as instruments
inner join watched_symbols as watched on instruments.symbol = watched.symbol
where instruments.board <> watched.board
