// What conditions cost: shapes that grow with a size, for the table of steps in the room's README.

/** A condition of a size, with its arguments, and the power of the size that its work grows with. */
export interface Cost {
  shape: string;
  power: 1 | 2;
  condition(size: number): string;
  args(size: number): object;
}

const list = (size: number): object => ({ list: Array.from({ length: size }, (_, i) => i), text: "x".repeat(size), part: `${"x".repeat(size / 2)}y`, zeros: "0".repeat(size), table: Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${(i * 7919) % size}`, i])) });
const cost = (shape: string, condition: string | ((size: number) => string), power: 1 | 2 = 1, args: (size: number) => object = list): Cost => ({ shape, power, condition: typeof condition === "string" ? () => condition : condition, args });
const digits = (size: number): object => ({ text: `2024-01-01T00:00:00.${"1".repeat(size / 2)}Z`, duration: `1.${"1".repeat(size / 2)}s`, number: `1.${"1".repeat(size / 2)}` });

export const COSTS: readonly Cost[] = [
  cost("`all`, `exists`", "args.list.all(x, x >= 0.0) && !args.list.exists(x, x < 0.0)"),
  cost("`exists_one`, `filter`, `map`", "args.list.exists_one(x, x == 1.0) && args.list.filter(x, x < 0.0) == [] && args.list.map(x, x) != []"),
  cost("`all` in `all`", "args.list.all(x, args.list.all(y, x + y >= 0.0))", 2, (size) => list(size / 20)),
  cost("a long body", (size) => `args.list.all(x, ${Array(size / 20).fill("x >= 0.0").join(" && ")})`, 1, () => ({ list: [1, 2, 3] })),
  cost("keys of a map", "args.table.all(k, k != '')"),
  cost("every member of a map", "args.table.all(k, args.table[k] >= 0.0)"),
  cost("`in` a list", "!(-1 in args.list)"),
  cost("a list literal", (size) => `[${Array(size / 2).fill("tool").join(",")}].size() > 0`),
  cost("a map literal", (size) => `{${Array.from({ length: size / 20 }, (_, i) => `'${i}': tool`).join(",")}}.size() > 0`, 2),
  cost("list + list", "(args.list + args.list + args.list).size() > 0"),
  cost("text + text", "(args.text + args.text + args.text).size() > 0"),
  cost("text + text, again and again", (size) => `(${Array(size / 50).fill("args.text").join(" + ")}) != ''`, 2, () => list(100)),
  cost("`==`, `<`, of lists and texts", "args.list == args.list && !(args.text < args.text) && args.text == args.text"),
  cost("`contains`, `startsWith`, `endsWith`", "!args.text.contains(args.part) && args.text.startsWith(args.text) && args.text.endsWith(args.text)"),
  cost("`matches`, a literal", "!args.text.matches('(x+x+)+y')"),
  cost("`matches`, made while it runs", "!args.text.matches('(x+x+)+' + 'y')"),
  cost("`size` of a text, `bytes`, `string`", "size(args.text) > 0 && string(bytes(args.text)) != ''"),
  cost("`int` of digits", "int(args.zeros) == 0 && uint(args.zeros) == 0u"),
  cost("`timestamp`, `duration`, `double` of digits", "timestamp(args.text) < now && duration(args.duration) > duration('0') && double(args.number) > 1.0", 1, digits),
  cost("a name as long as that", "!(args.text in args.table)"),
  cost("expressions side by side", (size) => `${Array(size / 20).fill("tool == ''").join(" && ")}`),
];
