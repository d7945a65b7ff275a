// Patterns that are known to hang backtracking engines, each with texts that make them: classics, outages, published vulnerabilities.

/** Where a pattern is known from, the pattern (with the `u` flag), and the texts: `before`, many times `piece`, `after`. */
export interface Catastrophic {
  known: string;
  pattern: string;
  before: string;
  piece: string;
  after: string;
}

const row = (known: string, pattern: string, piece: string, after: string, before = ""): Catastrophic => ({ known, pattern, before, piece, after });

export const CATASTROPHIC: readonly Catastrophic[] = [
  row("nested plus", "(a+)+$", "a", "!"),
  row("nested star", "(a*)*b", "a", "c"),
  row("nested twice", "^((a+)+)+$", "a", "!"),
  row("same alternatives", "^(a|a)*$", "a", "b"),
  row("alternatives that overlap", "(a|aa)+$", "a", "!"),
  row("alternatives that may be empty", "(a|a?)+$", "a", "!"),
  row("class beside a member", "^([a-zA-Z]+)*$", "a", "1"),
  row("twice the same", "(x+x+)+y", "x", "z"),
  row("bounded nested", "^(a?){30}a{30}$", "a", "b"),
  row("dot, star and a count", "(.*a){12}$", "a", "!"),
  row("dots between letters", "^.*a.*a.*a.*a.*a.*$\\b", "a", "!"),
  row("words with spaces", "^(\\w+\\s?)*$", "aa ", "!"),
  row("class names (OWASP)", "^(([a-z])+.)+[A-Z]([a-z])+$", "a", ""),
  row("e-mail (OWASP)", "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$", "a", "!"),
  row("e-mail with nested labels", "^([a-zA-Z0-9_.\\-])+@(([a-zA-Z0-9\\-])+\\.)+([a-zA-Z0-9]{2,4})+$", "a.", "!", "a@"),
  row("URL with nested paths", "^(https?:\\/\\/)?([\\da-z.\\-]+)\\.([a-z.]{2,6})([\\/\\w .\\-]*)*\\/?$", "a/", "!", "http://a.co/"),
  row("trim (outage of 2016, CVE-2020-7753)", "^[\\s\\u200c]+|[\\s\\u200c]+$", " ", "x", "x"),
  row("firewall rule (outage of 2019)", "(?:(?:\"|'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`|-|\\+)+[)]*;?((?:\\s|-|~|!|\\{\\}|\\|\\||\\+)*.*(?:.*=.*)))", "=", "", "x"),
  row("durations (CVE-2015-8315)", "^((?:\\d+)?\\.?\\d+) *(ms|seconds?|s|minutes?|m|hours?|h|days?|d|years?|y)?$", "1", "!"),
  row("times (CVE-2016-4055)", "^(-)?(?:(\\d*)[. ])?(\\d+):(\\d+)(?::(\\d+)(\\.\\d*)?)?$", "1", "!"),
  row("cookies (CVE-2017-15010)", "^(([^=;]+))\\s*=\\s*([^\\n\\r\\0]*)", " ", ";", "x"),
  row("HTTP authentication (CVE-2020-8492)", "(?:.*,)*[ \\t]*([^ \\t]+)[ \\t]+realm=(\"|'|)(.*)(\"|'|)", ",", ""),
  row("parents of globs (CVE-2020-28469)", "(^|[^\\\\])([{\\[]|\\([^)]+$)", "(", ")"),
  row("terminal codes (CVE-2021-3807)", "[\\u001B\\u009B][\\[\\]()#;?]*(?:(?:(?:[a-zA-Z\\d]*(?:;[\\-a-zA-Z\\d\\/#&.:=?%@~_]*)*)?\\u0007)|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))", ";", "!", "\u001b["),
  row("versions (CVE-2022-25883)", "^\\s*([<>]?=?)\\s*v?\\s*(\\d+|x|\\*)?\\s*$", " ", "!", ">="),
  row("doubled windows", "(?:a|b|ab)*(?:a|b){12}c(?:a|b){12}", "ab", "c"),
  row("a window too wide for a table", "^(?:.*[aé]){3}.{24}b$", "a", "c"),
  row("counts within counts", "(.{0,40}){0,12}\\b[aé]{700}$", "a", "b"),
];
