"""Who is only spoken to: 请多方回应, 空方请看…, 我就问空方：…, 提请裁判注意：… put nothing into anybody's mouth."""

from __future__ import annotations

import re

#: A judge is quoted only where he holds something: 裁判认为…, 裁判的意见是….
_HOLDS = re.compile(r"认为|相信|觉得|主张|看好|看空|担心|担忧|预期|判断|倾向|偏向|意见|看法|观点|立场|看来|承认")

#: 请多方…, 我就问空方：…, 提请裁判注意, 替对方算账, 写进空方清单: words that turn to the role or point at it.
_CALLED = re.compile(
    r"(?:请教|请问|敢问|试问|想问|反问|追问|质问|质询|(?<!疑)问问?|请|有请|麻烦|劳烦|提请|提醒|敦促|督促|希望|期待|盼着?"
    r"|欢迎|建议|奉劝|劝|要求|交给|留给|送给|写给|抛给|交由|替|帮|供|写进|记进|写入|列入|记入|归入|放进|等着?|回应|回答|答复|回复|反驳|驳斥?|答|回|致|作为|身为|我是|我方是|[我本]方[(（]|告诉|告知|通知|转告|提示给|寄给|发给|说给|讲给)"
    r"(?:一下|一问|各位|诸位|我的|尊敬的|这位|那位|在座的)?\s*$"
)
#: 替空方传句话, 把话筒交给多方: what follows is the role's.
_GIVEN_THE_WORD = re.compile(r"(?:话筒|麦克风|麦|发言权|话语权|发言席)(?:先|再|就)?(?:交|递|传|转|让)[给到与]\s*$")
_PASSED_ON = re.compile(r"(?:传|带|捎|转)(?:达|述|一?[句个]?话)|发言|代言|转述")
#: 给多方的数据：…; 不管站多方还是空方
_GIFT = re.compile(r"的(?:数据|数字|数|材料|提醒|提示|问题|答复|回应|信|清单|账)")
_GIVEN = re.compile(r"(?:给|致|送|向|对|跟)$")
_NO_WORD = r"[^，,。；:：“说讲称认主指提断坚强写引反质回驳]"
_OR_ELSE = r"(?:还是|或者?|也不?[^，,。；:：“说讲称认]{0,2})"
#: 由裁判定, 让多方自己算
_LEFT = re.compile(r"(?:让|叫|由|任|随|容)$")
_TO_DO = re.compile(r"(?:自己|自行|各自|来?[定判评选算看想]|去|核对|核实|解释|回答|说明|回应|比较|参考|裁)")
#: 给空方提个醒, 跟空方讲清楚
_TO = re.compile(r"(?:给|对|跟|向|同|和|替)$")
_TOLD = re.compile(r"(?:说(?![的法])|讲(?![的法])|提个|提一|补|算|交代|解释|强调|泼|敲|来一|报)")
#: 空方提到估值，那我补充：…: what stands behind the speaker's own word of speaking is his own.
_OWN_WORD = re.compile(
    r"(?:我方?|本席|本方|咱们?)[^，。；:：“]{0,6}?(?:报数?|补充|给出|摆|列|先说|来说|算|查到|的数|回应|回答|要说|还有|引用的是)[^，。；:：“]{0,4}[:：，,是]"
)
#: 如果空方质疑, 空方漏了一个数
_SUPPOSED = re.compile(r"(?:如果|若|倘若|假如|要是|万一|即便|即使|哪怕)[^，。；]{0,6}$")
_LACKS = re.compile(r"漏了|漏掉|漏算|遗漏|忽略|忽视|回避|没提|没有提|未提|不提|只字|避而不谈|绕开")
#: 空方这么说，但…; 空方的说法我不同意，…
_OBJECTS = re.compile(r"[，,—](?:但是?|然而|可是?(?!以)|不过|事实上|其实|实际上|而事实)|不同意|不认同|不赞成|不接受")
#: 对空方而言，…是个麻烦
_WEIGHS = re.compile(r"[是成](?:一?[个种大])?[^，。；]{0,4}(?:麻烦|难题|打击|利好|利空|压力|挑战|考验|坏消息|好消息)")
#: 空方辩友，…; 空方，…您怎么看
_VOCATIVE = re.compile(r"(?:辩友|同学|朋友|代表|席|先生|女士|各位)们?[，,]|[，,][^。！？!?\n]*(?:您|你)")
_TITLE = r"(?:辩友|同学|朋友|代表|席|同仁|同事|诸位|各位|长|先生|女士|们)*[，,、\s]*(?:您|你)?们?"
#: 空方，您得解释, but not 要转述多方，就得引这句
_CLOSE_TITLE = r"(?:辩友|同学|朋友|代表|席|同仁|同事|诸位|各位|长|先生|女士|们)*(?:[，,、\s]*(?:您|你)们?)?"
_HOW = r"(?:也|就|都|均|先|还|再|大可|完全|总|到底|究竟|恐怕|若|如果|倘若|要是|既然|刚才|自己|方才)*"
#: 空方请看…, 多方别拿…说事, 对方怎么看: the role is told or asked to do something.
_ORDERED = re.compile(
    rf"{_TITLE}{_HOW}(?:请|别|莫|勿|休|甭|不要|不妨|何不|何妨|能否|能不能|可否|是否|敢不敢|愿不愿|认不认|务必"
    r"|怎么(?![说讲写提称](?:的|过|[:：—]))|怎样|如何|为何|为什么|凭什么|何以|哪里|您|你|听好|(?:来|曾|又|想|提|发|反|追)?问(?!题|答|询)|看好了|注意(?!到)|看看|且看|且慢|等一等|[^，。；“\"]{1,6}吗(?=[？?。]|$))"
)
#: 空方要谈底…, 多方绕不开…, 空方与多方都可核对: what the role may, must or cannot do.
_BOUND = re.compile(
    rf"{_CLOSE_TITLE}{_HOW}(?:可以|可(?!见|谓|比|是|说|曾|不)|必须|应(?!对|声)|须|需|要(?!求|点|害|义|不是)|该(?!公司|股)|不必|无需|无须"
    r"|不用|绕不|躲不|避不|逃不|回避不|没法|无法|难以|敢|想(?!必)|得(?!出|到|益|分|势))"
)
_KEPT = re.compile(r"[记归算挂](?:在|到|于|入)$")
#: 空方清单, 对方面前: the role only says where something is put.
_PLACE = re.compile(r"的?(?:清单|账上|账本|案头|面前|跟前|桌上|作业|待办|功课|头上|这边参考|参考|核对|复核|的事)")
_SIDES = r"(?:空方|多方|正方|反方|支持方|反对方)"
#: 空方多方都…, 不管站多方还是空方
_JOINED_BEFORE = re.compile(rf"{_SIDES}(?:和|与|、|及|跟|以及|{_NO_WORD}{{0,6}}{_OR_ELSE})?$")
_JOINED_BEHIND = re.compile(rf"(?:和|与|、|及|跟|以及|{_NO_WORD}{{0,6}}{_OR_ELSE})?{_SIDES}")
#: 您说过“…”: who is spoken to is also quoted.
_YOU_SAID = re.compile(
    r"(?:您|你|贵方)们?[^，。；“的]{0,6}?(?:说|讲|提|主张|认为|断言|写)(?!明|服|供|示)(?:过|出|到)?[，,:：“\"]*[^，。；]{6}"
)
#: 对方说了半天, 多方怎么说都行: speaking itself is talked about, not what was said.
_TALK = re.compile(
    r"(?:了|来|得|过)?(?:半天|一通|许多|很多|不少|这么多|那么多|再多|多少|一堆|几句|来说去|来讲去|什么|啥|完|不出|不清"
    r"|得?再|没说)"
)


def is_called(plain: str, role: tuple[int, int]) -> bool:
    """Whether the role at *role* is turned to or told to do something, and not quoted in the same breath."""
    start, end = role
    stop = _end_of_sentence(plain, end)
    if _YOU_SAID.search(plain, end, stop):
        return False
    if _GIVEN_THE_WORD.search(plain, max(0, start - 10), start) or _PASSED_ON.match(plain, end):
        return False
    turned_to = _CALLED.search(plain, max(0, start - 12), start) is not None
    turned_to |= bool(_GIVEN.search(plain, max(0, start - 1), start) and _GIFT.match(plain, end, stop))
    turned_to |= bool(_TO.search(plain, max(0, start - 1), start) and _TOLD.match(plain, end, stop))
    left = _LEFT.search(plain, max(0, start - 1), start) is not None and _TO_DO.match(plain, end, stop) is not None
    kept = _KEPT.search(plain, max(0, start - 2), start) is not None  # 记在空方账上 says whose it is
    patterns = (_ORDERED, _VOCATIVE) if kept else (_ORDERED, _PLACE, _VOCATIVE)
    return turned_to or left or any(pattern.match(plain, end, stop) for pattern in patterns)


def is_addressed(plain: str, role: tuple[int, int]) -> bool:
    """Whether a sentence that names a role beside no word of speaking only speaks to it, or to both sides at once."""
    end = role[1]
    if is_called(plain, role) or is_joined(plain, role):
        return True
    if _OWN_WORD.search(plain, end, _end_of_sentence(plain, end)):
        return True
    return is_bound(plain, end) and not _YOU_SAID.search(plain, end, _end_of_sentence(plain, end))


def is_joined(plain: str, role: tuple[int, int]) -> bool:
    """Whether the other side is named in the same breath: 空方多方都…, 不管站多方还是空方."""
    before = _JOINED_BEFORE.search(plain, max(0, role[0] - 16), role[0])
    return before is not None or _JOINED_BEHIND.match(plain, role[1]) is not None


def is_own_word(plain: str, role: tuple[int, int], said: int) -> bool:
    """Whether what begins at *said* is the speaker's own, only supposed, or what the role at *role* left out."""
    is_supposed = _SUPPOSED.search(plain, max(0, role[0] - 10), role[0]) is not None
    is_own = _OWN_WORD.search(plain, role[1], _end_of_sentence(plain, said)) is not None
    return is_supposed or is_own or _LACKS.search(plain, role[1], said) is not None


def is_objected(plain: str, end: int, said: int) -> bool:
    """Whether what begins at *said* answers a role that ends at *end* instead of passing on its words."""
    return _OBJECTS.search(plain, end, max(end, said + 2)) is not None


def is_weighed(said: str) -> bool:
    """Whether a statement only says what something means for a side: …是个麻烦."""
    return _WEIGHS.search(said) is not None


def is_bound(plain: str, end: int) -> bool:
    """Whether a role that ends at *end* is said to have to, or to be able to, do something: 空方要谈底."""
    return _BOUND.match(plain, end) is not None


def is_idle_talk(plain: str, end: int) -> bool:
    """Whether what follows a word of speaking only measures the talk: 对方说了半天."""
    return _TALK.match(plain, end) is not None


def holds_opinion(words: str) -> bool:
    """Whether a judge is quoted with an opinion rather than with a finding: 裁判认为, not 裁判摘录."""
    return _HOLDS.search(words) is not None


def _end_of_sentence(plain: str, at: int) -> int:
    found = _SENTENCE_END.search(plain, at)
    return found.start() if found else len(plain)


_SENTENCE_END = re.compile(r"[。！？!?；;\n]")
