// Structured logs: one JSON object a line, with a level, an event's name and fields that never hold an argument's value.

const LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

/** Fields of a line: names, counts, codes and times. */
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  (level: Level, event: string, fields?: Fields): void;
}

/** The longest text of a field in UTF-16 code units. */
const FIELD = 500;

/** Makes a log. `write` gets whole lines with their end; `least` is asked for each line, so that it may change while the gateway runs. */
export function createLog(write: (line: string) => void, least: () => Level, clock: () => number): Log {
  return (level, event, fields = {}) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least())) return;
    const told: Record<string, unknown> = { time: new Date(clock()).toISOString(), level, event };
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined && !Object.hasOwn(told, name)) told[name] = typeof value === "string" ? value.slice(0, FIELD) : value;
    }
    write(`${JSON.stringify(told)}\n`);
  };
}
