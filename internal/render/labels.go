package render

import (
	"strings"

	"lookback"
)

// Labels are the words that surfaces put around what was said, in the reader's
// language. What was said is never translated.
type Labels struct {
	User, Assistant, Tool, System, Other string
	Colon                                string // between a label and its text
	Image, Thinking, Attachment          string // placeholders; Attachment is followed by the name
	Injected                             string // flags what a harness wrote
	Unfinished, Pending                  string // an exchange without an end; a summary not written
	Cuts                                 map[lookback.Cause]string
	Kept                                 string // from here on the model still has the words
}

// English is the default.
var English = Labels{
	User: "user", Assistant: "assistant", Tool: "tool", System: "system", Other: "other", Colon: ":",
	Image: "[image]", Thinking: "[thinking]", Attachment: "attachment: ",
	Injected: "injected", Unfinished: "unfinished", Pending: "not written yet, open its children",
	Cuts: map[lookback.Cause]string{
		lookback.CauseCompaction: "compaction: the model was given this text in place of what stands before",
		lookback.CauseReset:      "reset: the model's context was emptied here",
		lookback.CauseHandoff:    "handoff: a new context started here with this text",
	},
	Kept: "from here on the words are still in the model's context",
}

// Chinese is used when the reader's locale says so.
var Chinese = Labels{
	User: "用户", Assistant: "助手", Tool: "工具", System: "系统", Other: "其他", Colon: "：",
	Image: "[图片]", Thinking: "[思考]", Attachment: "附件：",
	Injected: "注入", Unfinished: "未完成", Pending: "尚未写出，请打开下级",
	Cuts: map[lookback.Cause]string{
		lookback.CauseCompaction: "压缩：此前内容由下面的文字代替",
		lookback.CauseReset:      "重置：模型的上下文在此清空",
		lookback.CauseHandoff:    "交接：新的上下文从这段文字开始",
	},
	Kept: "从这里起的原文仍在模型的上下文中",
}

// LabelsFor picks the labels for a language or locale such as "zh" or
// "zh_CN.UTF-8".
func LabelsFor(locale string) Labels {
	if strings.HasPrefix(strings.ToLower(locale), "zh") {
		return Chinese
	}
	return English
}

// Role names a role.
func (l *Labels) Role(r lookback.Role) string {
	switch r {
	case lookback.RoleUser:
		return l.User
	case lookback.RoleAssistant:
		return l.Assistant
	case lookback.RoleTool:
		return l.Tool
	case lookback.RoleSystem:
		return l.System
	}
	return l.Other
}

// Archived shows text in archive form in the reader's language: the labels that
// begin its parts, and its image placeholders. Labels are format tokens only at
// the beginning of a part and alone on their line; elsewhere somebody typed them.
func (l *Labels) Archived(text string) string {
	parts := strings.Split(text, "\n\n")
	for i, p := range parts {
		for token, label := range map[string]string{lookback.UserLabel: l.User, lookback.AssistantLabel: l.Assistant} {
			if rest, ok := strings.CutPrefix(p, token); ok && (rest == "" || rest[0] == '\n') {
				parts[i] = label + l.Colon + rest
			}
		}
	}
	text = strings.Join(parts, "\n\n")
	text = strings.ReplaceAll(text, lookback.ObjectMark, l.Image)
	return strings.ReplaceAll(text, lookback.ImageToken, l.Image)
}
