// Which values a parameter accepts: by its type and format, by what its name says, and by whether its noun stands beside the value.

import { DestinationKind } from "../evidence/destinations";
import {
  Format, NAMES_ADDRESS, NAMES_DATE, NAMES_EMAIL, NAMES_HOST, NAMES_ID, NAMES_IP, NAMES_PATH, NAMES_PERCENT, NAMES_TEXT, NAMES_TIME, NAMES_URL, Parameter, TAKES_INTEGER, TAKES_LIST, TAKES_NUMBER, TAKES_STRING,
} from "./parameters";
import { Kind, PATH, Token } from "./token";
import { isIso } from "./values";

/** Integers past this are no doubles. */
const SAFE: f64 = 9007199254740991;

/** Whether a parameter may hold an address of a kind. */
export function takesAddress(parameter: Parameter, address: i32): bool {
  if ((parameter.types & (TAKES_STRING | TAKES_LIST)) == 0 || parameter.members.length != 0 || isMailId(parameter)) return false;
  const free = parameter.format == Format.None || parameter.format == Format.Other;
  const names = free ? parameter.names : 0;
  switch (address) {
    case DestinationKind.Email: return parameter.format == Format.Email || (names & NAMES_EMAIL) != 0;
    case DestinationKind.Url: return parameter.format == Format.Uri || (names & NAMES_URL) != 0;
    case DestinationKind.Host: return parameter.format == Format.Host || (names & (NAMES_HOST | NAMES_URL)) != 0;
    case DestinationKind.Ip: return parameter.format == Format.Ip || (names & (NAMES_IP | NAMES_HOST)) != 0;
    default: return (names & NAMES_PATH) != 0;
  }
}

/** Whether a parameter takes the id of a message, such as `email_id`: no address is one. */
function isMailId(parameter: Parameter): bool {
  if (parameter.format != Format.None || (parameter.names & NAMES_ID) == 0 || parameter.spoken.length < 2) return false;
  const first = parameter.spoken[0];
  const last = parameter.spoken[parameter.spoken.length - 1];
  return last.length == 2 && load<u16>(last.start) == 0x6469 && ((first.length == 5 && load<u32>(first.start) == 0x69616d65) || (first.length == 4 && load<u32>(first.start) == 0x6c69616d));
}

/** Whether a parameter accepts a value; `named` where its noun stands beside it. */
export function accepts(parameter: Parameter, token: Token, named: bool): bool {
  const types = parameter.types;
  const text = (types & TAKES_STRING) != 0 && parameter.members.length == 0;
  const free = parameter.format == Format.None || parameter.format == Format.Other;
  switch (token.kind) {
    case Kind.Address:
      if (token.toward && parameter.subject) return false;
      if (takesAddress(parameter, token.address) || (token.file && takesAddress(parameter, PATH))) return true;
      // A quoted text that is an address, where it is not said as where something goes.
      if (!token.quoted || token.toward || (parameter.names & (NAMES_ID | NAMES_DATE)) != 0) return false;
      return text && free && (named || (parameter.names & NAMES_ADDRESS) == 0 || (parameter.names & NAMES_TEXT) != 0);
    case Kind.Quoted: return (text || ((types & TAKES_LIST) != 0 && named)) && free && (named || (parameter.names & (NAMES_ID | NAMES_ADDRESS | NAMES_DATE)) == 0 || (parameter.names & NAMES_TEXT) != 0);
    case Kind.Number:
      if ((types & (TAKES_NUMBER | TAKES_INTEGER)) != 0) {
        if ((types & TAKES_NUMBER) == 0 && (token.value != Math.trunc(token.value) || Math.abs(token.value) > SAFE)) return false;
        if (token.percent && (parameter.names & NAMES_PERCENT) == 0) return false;
        if (token.money && !named && (parameter.names & NAMES_ID) != 0) return false;
        return named || (parameter.names & NAMES_ID) == 0 || !token.money;
      }
      // A number beside `since` may be the day of a date whose month is a word: alone it is none.
      if (!text || token.money || token.percent || !isDigits(token) || parameter.format == Format.Date || parameter.format == Format.DateTime) return false;
      return named ? (parameter.names & (NAMES_EMAIL | NAMES_URL)) == 0 || (parameter.names & NAMES_ID) != 0 : free && (parameter.names & NAMES_ID) != 0;
    case Kind.Mark:
      if (!text) return false;
      if (parameter.format == Format.Time) return true;
      return free && (named || (parameter.names & (NAMES_ID | NAMES_TIME)) != 0);
    case Kind.Date: return text && (parameter.format == Format.Date || (parameter.format == Format.DateTime && isIso(token.from, token.to)) || (free && (named || (parameter.names & NAMES_DATE) != 0)));
    default: return false;
  }
}

/** Whether a number is digits alone, as ids are. */
function isDigits(token: Token): bool {
  for (let at = token.from; at < token.to; at++) if (<u32>load<u8>(at) - 0x30 > 9) return false;
  return true;
}
