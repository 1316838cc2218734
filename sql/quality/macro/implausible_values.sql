-- One row per macro value outside what the indicator can be, or of a period that has not ended.
select
    '*' as subject,
    macro.indicator,
    macro.period,
    macro.value as reading,
    macro.unit,
    macro.period || ' ' || macro.indicator || ' = ' || macro.value as note
from checked_macro as macro
cross join gate_run
where
    macro.period > last_day(gate_run.session)
    or (macro.indicator = 'PMI' and (macro.unit <> 'index' or not macro.value between 20 and 80))
    or (starts_with(macro.indicator, 'LPR') and (macro.unit <> 'pct' or not macro.value between 0 and 15))
    or (macro.indicator in ('CPI', 'PPI') and macro.unit = 'pct' and not macro.value between -30 and 40)
