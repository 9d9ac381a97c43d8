package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
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

const environment = `LOOKBACK_CACHE_DIR    where the index is, instead of lookback/ in the cache directory
LOOKBACK_DATA_DIR     where your archive is, instead of lookback/ in the data directory
LOOKBACK_CONFIG_DIR   where config.toml is, instead of lookback/ in the config directory
LOOKBACK_PAGER, PAGER pager for read, tree and open on a terminal; cat for none
LOOKBACK_FORCE_TTY    take standard output for a terminal of this many columns
NO_COLOR              no colour, whatever its value
CLICOLOR              0 for no colour
CLICOLOR_FORCE        colour also where there is no terminal
LC_ALL, LC_MESSAGES, LANG  labels are Chinese when it begins with zh
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
"/old/dir" = "/new/dir"         sessions of the old directory belong to the new
[pi]                            user only
sessions = ["~/more-sessions"]  further directories with Pi sessions

Relative paths in config.toml start at its own directory, and ~ is the home
directory. A project may set language, color and limit. It comes from elsewhere,
so it may run no command, point to no other directory and claim no other
workspace: other keys in it are left out with a warning, as unknown keys are.`

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

// describe is the help of a command without the flags that all have.
func describe(c *cobra.Command) string {
	text := c.UseLine() + "\n\n" + strings.TrimSpace(cmp.Or(c.Long, c.Short))
	if c.HasExample() {
		text += "\n\nExamples:\n" + c.Example
	}
	if flags := c.LocalFlags(); flags.HasAvailableFlags() {
		text += "\n\nFlags:\n" + strings.TrimRight(flags.FlagUsages(), "\n")
	}
	return text
}

// ManualMarkdown writes the manual as docs/cli.md has it.
func ManualMarkdown(out io.Writer) error {
	var b strings.Builder
	b.WriteString("<!-- Made from the command tree by `go run ./internal/docgen`. Do not edit. -->\n\n# Command line\n")
	section := func(title, text string) { fmt.Fprintf(&b, "\n## %s\n\n```\n%s\n```\n", title, text) }
	for _, c := range pages(newApp(Config{Out: io.Discard}).root()) {
		section(c.CommandPath(), describe(c))
	}
	for _, ch := range chapters {
		section(ch.title, ch.text)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// Manual writes the manual page in the roff of man(7).
func Manual(out io.Writer, version string) error {
	var b strings.Builder
	root := newApp(Config{Out: io.Discard}).root()
	fmt.Fprintf(&b, ".TH LOOKBACK 1 \"\" \"lookback %s\" \"User Commands\"\n", roff(version))
	fmt.Fprintf(&b, ".SH NAME\nlookback \\- %s\n.SH COMMANDS\n", roff(root.Short))
	for _, c := range pages(root) {
		fmt.Fprintf(&b, ".SS %s\n.nf\n%s\n.fi\n", roff(c.CommandPath()), roff(describe(c)))
	}
	for _, ch := range chapters {
		fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", strings.ToUpper(ch.title), roff(ch.text))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// roff makes text plain for man(7): no request at the beginning of a line, no
// escapes, minus signs that can be copied.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	return strings.NewReplacer("\n.", "\n\\&.", "\n'", "\n\\&'").Replace(s)
}
