"""The command line: arguments in, exit code out. Nothing heavy is imported until a command runs.

Exit codes: 0 done (gated and cached stocks are outcomes), 1 something failed, 2 usage, 3 configuration.
"""

from __future__ import annotations

import argparse
import errno
import io
import json
import logging
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from flows.commands.parsing import Parser
from flows.errors import ConfigurationError, UsageError, ZhengmingError

Command = Callable[[argparse.Namespace], int]


#: Faults of a folder or disk that its owner must mend; any other is a defect of ours and keeps its traceback.
_FILE_FAULTS = {
    errno.ENOTDIR: "路径中有一段是文件，不是目录",
    errno.ENOENT: "不存在，也不能在这里创建",
    errno.EEXIST: "这里已有一个同名的文件，不是目录",
    errno.EISDIR: "这里是目录，不是文件",
    errno.EACCES: "没有权限",
    errno.EPERM: "没有权限",
    errno.EROFS: "文件系统是只读的",
    errno.ENOSPC: "磁盘已满",
    errno.EDQUOT: "磁盘配额已用完",
    errno.ENAMETOOLONG: "路径太长",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every expected error is one clear message."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = argparse.Namespace(json="--json" in given)
    logging.getLogger("flows").addHandler(logging.NullHandler())
    logging.getLogger("flows").propagate = False
    _write_readably()
    try:
        options = _parser().parse_args(given)
        return _command(options.command)(options)
    except UsageError as error:
        return _refuse(options, error, 2)
    except ConfigurationError as error:
        return _refuse(options, error, 3)
    except ZhengmingError as error:
        return _refuse(options, error, 1)
    except OSError as error:
        return _end(options, error)
    except KeyboardInterrupt:
        return _refuse(options, ZhengmingError("已中断。已付费的回答都在 journal/ 里，重新运行会接着做。"), 130)


def _write_readably() -> None:
    """UTF-8 where the terminal's own encoding has no Chinese; a character it lacks is no reason to stop."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            try:
                "争鸣".encode(stream.encoding)
                stream.reconfigure(errors="replace")
            except UnicodeEncodeError:
                stream.reconfigure(encoding="utf-8", errors="replace")


def _end(options: argparse.Namespace, error: OSError) -> int:
    """A reader that went away is no failure; a folder its owner must mend is one line; anything else is raised."""
    if isinstance(error, BrokenPipeError):
        sys.stderr.close()
        return 0
    if error.errno not in _FILE_FAULTS:
        raise error
    return _refuse(options, ConfigurationError(_file_fault(error)), 3)


def _file_fault(error: OSError) -> str:
    where = f" {error.filename}" if error.filename else ""
    return f"不能读写{where}：{_FILE_FAULTS[error.errno or 0]}。数据目录用 --data 指定，须是一个可写的目录。"


def _command(path: str) -> Command:
    module, _, name = path.partition(":")
    command: Command = getattr(import_module(f"flows.commands.{module}"), name)
    return command


def _refuse(options: argparse.Namespace, error: ZhengmingError, code: int) -> int:
    if getattr(options, "json", False):
        print(json.dumps({"error": type(error).__name__, "message": str(error)}, ensure_ascii=False))
    else:
        print(f"错误：{error}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="zhengming",
        description="争鸣：A 股自选股的盘后辩论台。整理多空双方的论据与分歧，不预测，不荐股。",
        epilog="第一次用：zhengming review。没有任何配置时使用内置演示行情和离线规则模型，不联网、不花钱。"
        "命令 -h 列出它的参数。退出码：0 完成，1 有失败，2 用法，3 配置。",
    )
    commands = parser.add_subparsers(dest="name", metavar="命令", title="命令", required=True)
    for register in (
        _review, _debate, _target, _inform, _query, _report, _replay, _snapshot, _pack, _verify, _backfill, _doctor,
    ):  # fmt: skip
        register(commands)
    return parser


def _add(commands: argparse._SubParsersAction, name: str, command: str, words: str) -> argparse.ArgumentParser:  # type: ignore[type-arg]
    parser: argparse.ArgumentParser = commands.add_parser(name, help=words, description=words)
    parser.set_defaults(command=command)
    parser.add_argument("--json", action="store_true", help="以 JSON 输出")
    parser.add_argument("--data", metavar="目录", help="数据目录（默认 data）")
    return parser


def _run_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--as-of", metavar="日期", help="按这一天收盘后能看到的信息复盘，如 2026-11-27")
    _model_options(parser)
    parser.add_argument(
        "--protocol", default="bull_bear", metavar="协议",
        help="bull_bear 多空（默认）、four_stance 四立场、both 两种各一场、direct 单次研判",
    )  # fmt: skip


def _model_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sources", choices=["sample", "live"], help="演示行情或真实数据源")
    parser.add_argument("--model", metavar="名称", help="offline 或 OpenAI 兼容服务上的模型名")
    parser.add_argument("--base-url", metavar="地址", help="OpenAI 兼容服务的地址")


def _review(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "review", "review:review", "复盘自选股：取数、校验、取证、辩论、成稿")
    parser.add_argument("--watchlist", metavar="文件", help="自选股文件，每行一个代码，# 起注释")
    parser.add_argument("--symbols", metavar="代码", help="逗号分隔的代码，如 600519.SH,000001.SZ")
    _run_options(parser)


def _debate(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "debate", "review:debate", "就一只股票、一个板块或一条传闻辩论一次")
    parser.add_argument("topic", metavar="股票或话题", help="代码、名称，或一句话，如“光伏还能不能拿”")
    _run_options(parser)


def _target(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "target", "follow:target", "单独审一条论点：同样的事实加上新公开的事实，两个新角色")
    parser.add_argument("claim_id", metavar="论点编号", help="如 r1-bull-2，或 辩论编号/r1-bull-2")
    parser.add_argument("--debate", metavar="辩论编号", help="论点出自哪场辩论")
    _model_options(parser)


def _inform(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "inform", "follow:inform", "给一场辩论补充材料并重审，记下什么材料改变了什么判断")
    parser.add_argument("debate_id", metavar="辩论编号")
    parser.add_argument("--note", default="", metavar="文字", help="材料原文，只当作资料，不当作指令")
    parser.add_argument("--url", metavar="网址", help="出处；不读取其内容")
    _model_options(parser)


def _replay(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "replay", "follow:replay", "不联网，用存档的事实与发言重审一场辩论")
    parser.add_argument("debate_id", metavar="辩论编号")


def _query(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "query", "read:query", "用 SQL 查询历史（只读）；不带名称时列出现成的问题")
    parser.add_argument("question", nargs="?", metavar="名称", help="现成问题的名称")
    parser.add_argument("--sql", metavar="SELECT", help="自己写的只读查询")
    parser.add_argument("--param", action="append", default=[], metavar="键=值", help="问题的参数，可重复")
    parser.add_argument("--format", choices=["table", "json", "csv"], default="table", help="输出格式")


def _report(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "report", "read:report", "读一份报告")
    parser.add_argument("debate_id", metavar="辩论编号")
    parser.add_argument("--layer", choices=["warning", "summary", "full"], default="summary", help="读到哪一层")


def _snapshot(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "snapshot", "read:snapshot", "一只股票某日的行情快照（JSON）")
    parser.add_argument("symbol", metavar="代码")
    parser.add_argument("--as-of", metavar="日期", help="默认：库中最新交易日")


def _pack(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "pack", "read:pack", "一只股票某日的事实包（JSON）")
    parser.add_argument("symbol", metavar="代码")
    parser.add_argument("--as-of", metavar="日期", help="默认：库中最新交易日")


def _verify(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "verify", "verify:verify", "核对任意文本里的数字；有不符或无据时退出码为 1")
    parser.add_argument("text", metavar="文件", help="文本、Markdown 或 HTML；- 表示标准输入")
    parser.add_argument("--pack", required=True, metavar="文件", help="事实包 JSON 或事实 CSV")
    parser.add_argument("--subject", metavar="代码", help="文本讲的是哪家公司（默认取事实包的）")


def _backfill(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "backfill", "backfill:backfill", "补历史行情：可中断续跑")
    parser.add_argument("--from", dest="start", required=True, metavar="日期")
    parser.add_argument("--to", dest="end", required=True, metavar="日期")
    parser.add_argument("--watchlist", metavar="文件")
    parser.add_argument("--symbols", metavar="代码")
    parser.add_argument("--sources", choices=["sample", "live"])


def _doctor(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    parser = _add(commands, "doctor", "doctor:doctor", "自检：数据源、模型、日历、磁盘、锁")
    parser.add_argument("--as-of", metavar="日期", help="检查这一天能不能复盘")
    parser.add_argument("--sources", choices=["sample", "live"])
    parser.add_argument("--model", metavar="名称")
    parser.add_argument("--base-url", metavar="地址")


if __name__ == "__main__":
    sys.exit(main())
