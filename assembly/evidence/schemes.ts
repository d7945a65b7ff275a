// The schemes that make a URL without two slashes, when something follows the colon.

import { unitsAre } from "./reading";

/**
 * Schemes that a program acts on without `//`, by length: those of browsers and mail, of calls and messages, of storage, of payments.
 * Words that people write before a colon (news, note, feed, market) are not here: with `//` they are URLs anyway.
 */
const SCHEMES: StaticArray<string[]> = [
  ["s3", "gs", "ws", "az", "tg"],
  ["tel", "sms", "sip", "ftp", "wss", "ssh", "arn", "mms", "smb", "nfs", "jar", "cid", "irc", "dav"],
  ["http", "data", "file", "sips", "ftps", "sftp", "xmpp", "blob", "h323", "nntp", "rtsp", "rtmp", "ldap", "davs", "ipfs", "ircs", "abfs", "hdfs", "turn", "stun"],
  ["https", "smsto", "skype", "rsync", "ldaps", "abfss", "wasbs", "turns", "stuns"],
  ["mailto", "callto", "gopher", "telnet", "magnet", "webcal", "monero"],
  ["bitcoin", "imessage", "whatsapp", "facetime", "ethereum", "litecoin", "vbscript"],
  ["javascript", "view-source", "filesystem", "livescript", "facetime-audio"],
];

/** Whether units `from` … `to` are such a scheme. */
export function isBareScheme(from: i32, to: i32): bool {
  const length = to - from;
  if (length < 2 || length > 14) return false;
  const list = SCHEMES[length < 7 ? length - 2 : length < 9 ? 5 : 6];
  for (let i = 0; i < list.length; i++) if (unitsAre(from, to, list[i])) return true;
  return false;
}
