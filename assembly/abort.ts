// What a failed assertion of the language runtime does: trap, so that the module needs no import. The host then throws the instance away.

/** Called by compiled code where the language would throw; never returns. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  unreachable();
}
