// The headers in which MCP 2026-07-28 over HTTP repeats arguments that a tool's schema marks with `x-mcp-header`.

/** What a header may be called (RFC 9110, token). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The headers for a call: of every marked argument that has a text, a whole number or a truth value. A value that is no plain ASCII goes in base64, so that none can end the header. */
export function paramHeaders(schema: unknown, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  visit(schema, args, headers, 0);
  return headers;
}

function visit(schema: unknown, value: unknown, headers: Record<string, string>, depth: number): void {
  if (depth > 32 || typeof schema !== "object" || schema === null || value === undefined || value === null) return;
  const { ["x-mcp-header"]: name, properties } = schema as { "x-mcp-header"?: unknown; properties?: unknown };
  if (typeof name === "string" && TOKEN.test(name)) {
    const text = textOf(value);
    if (text !== null) headers[`mcp-param-${name.toLowerCase()}`] = headerValue(text);
  }
  if (typeof properties !== "object" || properties === null || typeof value !== "object") return;
  for (const [property, inner] of Object.entries(properties)) {
    if (Object.hasOwn(value, property)) visit(inner, (value as Record<string, unknown>)[property], headers, depth + 1);
  }
}

function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  return Number.isSafeInteger(value) ? String(value) : null;
}

/** A value as a header carries it. */
export function headerValue(text: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?base64?")) return text;
  return `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
