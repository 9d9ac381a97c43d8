package words

import "strings"

// IsStop reports whether a token, folded as tokens are, is one of the words and
// characters that every sentence has and no search is about: closed classes of
// English, Chinese and Japanese. Nothing is left out of an index for it; it only
// lets a question lose its grammar.
func IsStop(token string) bool { return stops[token] }

// stops are the words, after tokens are split at apostrophes. English has articles,
// pronouns, prepositions, conjunctions, auxiliaries, question words and the stumps
// of contractions, no word that names a thing, a time or a quantity. Chinese and
// Japanese have particles, pronouns and question words, also as the pairs that
// longer words leave.
var stops = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(stopWords) {
		m[w] = true
	}
	return m
}()

const stopWords = `
a an the this that these those i me my mine we us our you your he him his she her it its they them their who whom whose
which what when where why how am is are was were be been being do does did have has had having can could will would shall
should may might must not no nor and or but if then than because so as while though whether of in on at to from by with
for about into between up out there here some any each such very just also too only
d ll m re s t ve don didn doesn isn aren wasn weren won wouldn couldn shouldn hasn haven

的 了 着 过 吗 呢 吧 啊 呀 嘛 哦 么 地 得 之 其 我 你 您 他 她 它 们 这 那 哪 谁 些 个
是 在 有 和 与 及 或 也 都 就 还 又 而 但 把 被 让 给 对 从 向 到 于 以 为 因 所 如 若 则 且 很 请 没 不
我们 你们 他们 她们 它们 咱们 自己 大家 这个 那个 哪个 这些 那些 哪些 这里 那里 哪里 这样 那样
什么 怎么 怎样 多少 为什 么样 如何 是否 何时 是不 不是 有没 没有 的是 了吗
因为 所以 但是 而且 或者 如果 还是 就是 以及 关于 对于 可以 一个 一下

は が を に で と も の へ や か ね よ な て た だ から まで より です ます でし まし した して する ない ある いる いた
この その あの どの これ それ あれ どれ ここ そこ どこ こと もの ため よう
何 誰 なに なぜ いつ だれ どう とは には では ので のは のが
`
