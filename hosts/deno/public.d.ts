// The types of `interlock/deno` as the package ships them; test/hosts/public-types.ts holds them against the sources.

/** The web host with its settings from the environment: what `deno serve` and `bun run` serve. */
declare const host: { fetch(request: Request): Promise<Response>; readonly hostname: string; readonly port: number };
export default host;
