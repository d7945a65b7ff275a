// The lines that let a caller into the gateway's file: only the hash of its key is in them.

export interface CallerLines { name: string; sha256: string; tenant?: string | undefined; agents?: readonly string[]; approver?: string | undefined; may?: readonly string[]; expires?: string | undefined }

/** The caller's lines below `callers:`, in YAML. */
export function callerLines({ name, sha256, tenant, agents = [], approver, may = [], expires }: CallerLines): string {
  const members = [
    ...(tenant === undefined ? [] : [`    tenant: ${scalar(tenant)}`]),
    `    sha256: "${sha256}"`,
    ...(agents.length === 0 ? [] : [`    agents: [${agents.map(scalar).join(', ')}]`]),
    ...(approver === undefined ? [] : [`    approver: ${scalar(approver)}`]),
    ...(may.length === 0 ? [] : [`    may: [${may.join(', ')}]`]),
    ...(expires === undefined ? [] : [`    expires: "${expires}"`]),
  ];
  return `  ${scalar(name)}:\n${members.join('\n')}\n`;
}

/** A text as a YAML scalar: plain where that reads as the same text, else as JSON has it, which YAML reads too. */
export function scalar(text: string): string {
  return /^[A-Za-z][A-Za-z0-9_.@/-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text) ? text : JSON.stringify(text);
}
