// The schemes that make a URL without two slashes, when something follows the colon.

import { unitsAre } from "./reading";

/**
 * Schemes that a program acts on without `//`, by length from 2 on: those of browsers and mail, of calls and messages, of files and storage, of
 * repositories, of payments. A word that merely stands before a colon (note, urn, sha256) is none.
 */
const SCHEMES: StaticArray<string[]> = [
  ["im", "tg", "ws", "s3", "gs", "az"],
  ["tel", "sms", "mms", "sip", "ftp", "afp", "vnc", "scp", "ssh", "wss", "s3a", "s3n", "gcs", "arn", "git", "svn", "smb", "nfs", "irc", "jar", "dns", "oci"],
  ["http", "sips", "xmpp", "data", "blob", "file", "ftps", "sftp", "tftp", "abfs", "wasb", "hdfs", "cifs", "ldap", "dict", "news", "nntp", "ircs", "ipfs", "ipns", "feed", "rtsp", "rtmp", "jdbc"],
  ["https", "smsto", "mmsto", "skype", "abfss", "wasbs", "rsync", "ldaps"],
  ["mailto", "callto", "telnet", "gopher", "magnet", "intent", "market", "docker", "webcal"],
  ["bitcoin", "msteams", "zoommtg", "ms-msdt", "ms-word"],
  ["facetime", "whatsapp", "vbscript", "ethereum", "litecoin", "dogecoin", "ms-excel"],
  ["lightning", "search-ms"],
  ["javascript", "filesystem"],
  ["view-source"],
];

/** Whether units `from` … `to` are such a scheme. */
export function isBareScheme(from: i32, to: i32): bool {
  const length = to - from;
  if (length < 2 || length > LONGEST_SCHEME) return false;
  const list = SCHEMES[length - 2];
  for (let i = 0; i < list.length; i++) if (unitsAre(from, to, list[i])) return true;
  return false;
}

/** The longest of them. */
export const LONGEST_SCHEME: i32 = 11;
