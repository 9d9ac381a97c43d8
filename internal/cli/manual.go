package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// chapters of the manual that no single command has. docs/cli.md and the manual
// page are both made from them.
var chapters = []struct{ title, text string }{
	{"Exit codes", exitCodes},
	{"Environment", environment},
	{"Settings", settingsText},
}

const exitCodes = `0    done, also when nothing was found
1    failed
2    wrong usage
3    done, but some sources could not be read (sync, doctor)
10   no index yet, and syncing is off
11   another process is writing the index
130  interrupted`

const environment = `LOOKBACK_CACHE_DIR    directory of the index, instead of lookback/ in the user's cache directory
LOOKBACK_DATA_DIR     directory of the user's archive, instead of lookback/ in the user's data directory
LOOKBACK_CONFIG_DIR   directory of config.toml, instead of lookback/ in the user's config directory
LOOKBACK_PAGER, PAGER pager for read, tree and open on a terminal; cat for none
LOOKBACK_FORCE_TTY    take standard output for a terminal of this many columns
NO_COLOR              no colour, whatever its value
CLICOLOR              0 for no colour
CLICOLOR_FORCE        colour also where there is no terminal
LC_ALL, LC_MESSAGES, LANG  language of labels, Chinese when it begins with zh
TZ                    time zone of the times that are shown and read
LOOKBACK_DEBUG        a fault of the program prints its stack
PI_CODING_AGENT_DIR, PI_CODING_AGENT_SESSION_DIR  where Pi keeps its sessions`

const settingsText = `config.toml in the config directory is the user's; .lookback.toml in the working
directory or above it is the project's. Flags go before the environment, the
environment before the project, and the project before the user.

language = "zh"                 labels in Chinese; "en" for English
color = "auto"                  auto, always or never
limit = 20                      rows of a page, 1 to 1000
pager = "less -R"               user only
[moved]                         user only
"/old/dir" = "/new/dir"         sessions that ran in the old directory belong to the new one
[pi]                            user only
sessions = ["~/more-sessions"]  further directories with Pi sessions

Relative paths in config.toml start at its own directory, and ~ is the home
directory. A project may set language, color and limit. It comes from elsewhere, so it may
run no command, point to no other directory and claim no other workspace: other
keys in it are left out with a warning. Unknown keys are warnings.`

// pages lists the commands that have a page, each after its parent.
func pages(c *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, pages(sub)...)
		}
	}
	return out
}

// describe is the text of a command: what it does in full.
func describe(c *cobra.Command) string {
	if c.Long != "" {
		return c.Long
	}
	return strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
}

// flagsOf lists a command's own flags, each as its name and its meaning.
func flagsOf(c *cobra.Command) [][2]string {
	var out [][2]string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name, text := pflag.UnquoteUsage(f)
		head := "--" + f.Name
		if f.Shorthand != "" {
			head = "-" + f.Shorthand + ", " + head
		}
		if name != "" {
			head += " " + name
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" && !strings.Contains(text, "default") {
			text += " (default " + f.DefValue + ")"
		}
		out = append(out, [2]string{head, text})
	})
	return out
}

// ManualMarkdown writes the whole command tree as docs/cli.md has it.
func ManualMarkdown(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprint(w, "<!-- Made from the command tree by `go run ./internal/docgen`. Do not edit. -->\n\n# Command line\n")
	root := Tree()
	for _, c := range pages(root) {
		title := c.CommandPath()
		if c == root {
			title = "lookback, and what every command takes"
		}
		fmt.Fprintf(w, "\n## %s\n\n", title)
		fmt.Fprintf(w, "```\n%s\n```\n\n%s\n", useLine(c), markdownText(describe(c)))
		if c.Example != "" {
			fmt.Fprintf(w, "\n```sh\n%s\n```\n", unindent(c.Example))
		}
		if flags := flagsOf(c); len(flags) > 0 {
			fmt.Fprint(w, "\n| flag | meaning |\n| --- | --- |\n")
			for _, f := range flags {
				fmt.Fprintf(w, "| `%s` | %s |\n", f[0], strings.ReplaceAll(f[1], "|", `\|`))
			}
		}
	}
	for _, ch := range chapters {
		fmt.Fprintf(w, "\n## %s\n\n```\n%s\n```\n", ch.title, ch.text)
	}
	return w.Flush()
}

// useLine is the usage of a command without cobra's additions.
func useLine(c *cobra.Command) string {
	if c.HasParent() {
		return c.Parent().CommandPath() + " " + c.Use
	}
	return c.Use + " [COMMAND] [FLAGS]"
}

// markdownText keeps the indented examples of help texts together.
func markdownText(s string) string {
	var out []string
	code := false
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		if indented != code {
			out = append(out, "```")
			code = indented
		}
		out = append(out, strings.TrimPrefix(line, "  "))
	}
	if code {
		out = append(out, "```")
	}
	return strings.Join(out, "\n")
}

func unindent(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		out = append(out, strings.TrimPrefix(strings.TrimRight(line, "\n"), "  "))
	}
	return strings.Join(out, "\n")
}

// Manual writes the manual page in the roff of man(7).
func Manual(out io.Writer, version string) error {
	w := bufio.NewWriter(out)
	root := Tree()
	fmt.Fprintf(w, ".TH LOOKBACK 1 \"\" \"lookback %s\" \"User Commands\"\n.SH NAME\nlookback \\- %s\n", roff(version), roff(root.Short))
	fmt.Fprint(w, ".SH SYNOPSIS\n.B lookback\n[COMMAND] [FLAGS]\n.SH DESCRIPTION\n")
	roffText(w, describe(root))
	roffFlags(w, root)
	fmt.Fprint(w, ".SH COMMANDS\n")
	for _, c := range pages(root)[1:] {
		fmt.Fprintf(w, ".SS %s\n", roff(useLine(c)))
		roffText(w, describe(c))
		if c.Example != "" {
			roffText(w, c.Example)
		}
		roffFlags(w, c)
	}
	for _, ch := range chapters {
		fmt.Fprintf(w, ".SH %s\n.nf\n%s\n.fi\n", strings.ToUpper(ch.title), roff(ch.text))
	}
	return w.Flush()
}

func roffFlags(w io.Writer, c *cobra.Command) {
	for _, f := range flagsOf(c) {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(f[0]), roff(f[1]))
	}
}

// roffText writes paragraphs, and indented lines as they stand.
func roffText(w io.Writer, s string) {
	for line := range strings.Lines(s) {
		switch line = strings.TrimRight(line, "\n"); {
		case line == "":
			fmt.Fprintln(w, ".PP")
		case strings.HasPrefix(line, "  "):
			fmt.Fprintf(w, ".nf\n%s\n.fi\n", roff(line))
		default:
			fmt.Fprintln(w, roff(line))
		}
	}
	fmt.Fprintln(w, ".PP")
}

// roff makes text plain for man(7): no request at the beginning of a line, no
// escapes, minus signs that can be copied.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
