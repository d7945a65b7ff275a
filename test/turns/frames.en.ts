// Frames of English turns by kinds, with what is put into them: each with each.

import { cross, type Kind } from "./kinds";

const THINGS = [
  { policy: "inn", X: "booking 71" },
  { policy: "inn", X: "the parcels" },
  { policy: "inn", X: "horse 9" },
  { policy: "desk", X: "order 4411" },
  { policy: "bank", X: "the transactions of account 12" },
  { policy: "tickets", X: "ticket 31" },
  { policy: "chat", X: "the users" },
  { policy: "calendar", X: "event 31" },
  { policy: "home", X: "the list of devices" },
  { policy: "files", X: "the exports" },
  { policy: "mail", X: "thread 311" },
];
const VERBS = [
  { V: "export", VED: "exported", VING: "exporting" },
  { V: "upload", VED: "uploaded", VING: "uploading" },
  { V: "forward", VED: "forwarded", VING: "forwarding" },
  { V: "share", VED: "shared", VING: "sharing" },
  { V: "publish", VED: "published", VING: "publishing" },
  { V: "transmit", VED: "transmitted", VING: "transmitting" },
  { V: "post", VED: "posted", VING: "posting" },
  { V: "broadcast", VED: "broadcast", VING: "broadcasting" },
  { V: "send", VED: "sent", VING: "sending" },
  { V: "e-mail", VED: "e-mailed", VING: "e-mailing" },
];
const PAY = [
  { policy: "desk", V: "charge", VED: "charged", VING: "charging" },
  { policy: "desk", V: "refund", VED: "refunded", VING: "refunding" },
];
const AMOUNTS = [
  "half of its amount", "twice its amount", "the total of order 4412", "the average of order 4411 and order 4412", "10% of its amount", "its amount plus 10%",
  "its amount minus 5", "the difference between order 4411 and order 4412", "the sum of order 4411 and order 4412", "a third of its amount", "three times its amount",
  "double the amount", "20% more than last time",
].map((C) => ({ C }));
const COMPUTED = ["the total of order 4412", "the average of order 4411 and order 4412", "the difference between order 4411 and order 4412", "the sum of orders 4411 and 4412"].map((C) => ({ C }));
const COMPUTE = ["compute", "work out", "calculate", "figure out", "find", "get", "determine"].map((c) => ({ c }));
const FOREIGN = [
  { policy: "inn", own: "booking 71", N: "wages" },
  { policy: "inn", own: "booking 71", N: "donations" },
  { policy: "desk", own: "order 4411", N: "salaries" },
  { policy: "desk", own: "order 4411", N: "bonuses" },
  { policy: "bank", own: "the balance of account 12", N: "loans" },
  { policy: "bank", own: "the balance of account 12", N: "reserves" },
  { policy: "tickets", own: "ticket 31", N: "expenses" },
];
const WRITES = [
  { policy: "inn", V: "bill", VED: "billed", VING: "billing", PAST: "billed", X: "booking 71", R: " 40.00", tool: "bill_guest", args: "{\"booking_id\":\"71\",\"amount\":40}" },
  { policy: "inn", V: "upgrade", VED: "upgraded", VING: "upgrading", PAST: "upgraded", X: "room 12", R: "", tool: "upgrade_room", args: "{\"room_id\":\"12\"}" },
  { policy: "inn", V: "mute", VED: "muted", VING: "muting", PAST: "muted", X: "the intercom", R: "", tool: "mute_intercom", args: "{}" },
  { policy: "inn", V: "groom", VED: "groomed", VING: "grooming", PAST: "groomed", X: "horse 9", R: "", tool: "groom_horse", args: "{\"horse_id\":\"9\"}" },
  { policy: "inn", V: "feed", VED: "fed", VING: "feeding", PAST: "fed", X: "animal 3", R: " 4 kilos", tool: "feed_animal", args: "{\"animal_id\":\"3\",\"kilos\":4}" },
  { policy: "inn", V: "set", VED: "set", VING: "setting", PAST: "set", X: "the pump", R: " to 30", tool: "set_pump", args: "{\"litres\":30}" },
  { policy: "inn", V: "hire", VED: "hired", VING: "hiring", PAST: "hired", X: "van 8", R: " 4 hours", tool: "hire_van", args: "{\"van_id\":\"8\",\"hours\":4}" },
  { policy: "inn", V: "notify", VED: "notified", VING: "notifying", PAST: "notified", X: "the guest of booking 71", R: "", tool: "notify_guest", args: "{\"booking_id\":\"71\"}" },
  { policy: "bank", V: "freeze", VED: "frozen", VING: "freezing", PAST: "froze", X: "card 9902", R: "", tool: "freeze_card", args: "{\"card_id\":\"9902\"}" },
  { policy: "bank", V: "pay", VED: "paid", VING: "paying", PAST: "paid", X: "invoice 6120", R: " 40.00", tool: "pay_invoice", args: "{\"invoice_id\":\"6120\",\"amount\":40}" },
  { policy: "desk", V: "charge", VED: "charged", VING: "charging", PAST: "charged", X: "order 4411", R: " 40.00", tool: "charge_card", args: "{\"order_id\":\"4411\",\"amount\":40}" },
  { policy: "desk", V: "refund", VED: "refunded", VING: "refunding", PAST: "refunded", X: "the card of order 4411", R: " 12.50", tool: "refund_card", args: "{\"order_id\":\"4411\",\"amount\":12.5}" },
  { policy: "tickets", V: "close", VED: "closed", VING: "closing", PAST: "closed", X: "ticket 31", R: "", tool: "close_ticket", args: "{\"ticket_id\":\"31\"}" },
  { policy: "tickets", V: "assign", VED: "assigned", VING: "assigning", PAST: "assigned", X: "ticket 31", R: " to bruno", tool: "assign_ticket", args: "{\"ticket_id\":\"31\",\"assignee\":\"bruno\"}" },
  { policy: "tickets", V: "publish", VED: "published", VING: "publishing", PAST: "published", X: "article 58", R: "", tool: "publish_article", args: "{\"article_id\":\"58\"}" },
  { policy: "mail", V: "delete", VED: "deleted", VING: "deleting", PAST: "deleted", X: "email 17", R: "", tool: "delete_email", args: "{\"email_id\":\"17\"}" },
  { policy: "mail", V: "move", VED: "moved", VING: "moving", PAST: "moved", X: "thread 311", R: " to spam", tool: "move_thread", args: "{\"thread_id\":\"311\",\"folder\":\"spam\"}" },
  { policy: "mail", V: "snooze", VED: "snoozed", VING: "snoozing", PAST: "snoozed", X: "thread 311", R: " until 2027-02-01", tool: "snooze_thread", args: "{\"thread_id\":\"311\",\"date\":\"2027-02-01\"}" },
  { policy: "home", V: "lock", VED: "locked", VING: "locking", PAST: "locked", X: "the door", R: "", tool: "lock_door", args: "{}" },
  { policy: "home", V: "set", VED: "set", VING: "setting", PAST: "set", X: "the thermostat", R: " to 20", tool: "set_thermostat", args: "{\"degrees\":20}" },
  { policy: "calendar", V: "cancel", VED: "cancelled", VING: "cancelling", PAST: "cancelled", X: "event 31", R: "", tool: "cancel_event", args: "{\"event_id\":\"31\"}" },
  { policy: "desk", V: "send", VED: "sent", VING: "sending", PAST: "sent", X: "the receipt of order 4411", R: "", tool: "send_receipt", args: "{\"order_id\":\"4411\"}" },
  { policy: "bank", V: "update", VED: "updated", VING: "updating", PAST: "updated", X: "the limit of card 8841", R: " to 2,500", tool: "update_limit", args: "{\"card_id\":\"8841\",\"amount\":2500}" },
];

/** The kinds, in English. */
export const KINDS: Kind[] = [
  {
    name: "a verb that sends",
    expect: "S1",
    frames: [
      "{V} {X}", "please {V} {X}", "could you {V} {X}?", "can you please {V} {X}", "I'd like you to {V} {X}", "I want you to {V} {X}", "I want {X} {VED}", "I'd like {X} {VED}",
      "I would like {X} to be {VED}", "{X} should be {VED}", "{X} must be {VED} today", "{X} is to be {VED}", "{X} needs to be {VED}", "{X} needs {VING}", "have {X} {VED}",
      "get {X} {VED}", "let {X} be {VED}", "it is important that {X} be {VED}", "make sure {X} is {VED}", "make sure to {V} {X}", "would you mind {VING} {X}?",
      "how about {VING} {X}?", "show {X} and {V} it", "show {X}, then {V} it", "show {X} + {V}", "show {X} & {V} it", "show {X} before {VING} it", "show {X}; {V}.",
      "the {VING} of {X} is needed", "I need the {VING} of {X}", "go ahead and {V} {X}", "feel free to {V} {X}", "{X}: {V} it", "to Bob, {V} {X}", "for the auditors, {V} {X}",
      "after lunch {V} {X}", "Bob wants you to {V} {X}", "we need to {V} {X}", "time to {V} {X}", "don't forget to {V} {X}", "can {X} be {VED}?", "why don't you {V} {X}?",
      "is there a way to {V} {X}?", "{VING} {X} would be great", "{X} ought to be {VED}", "{X} has to be {VED} by noon", "{X} is waiting to be {VED}",
      "I request that {X} be {VED}", "kindly {V} {X} at once", "both show and {V} {X}", "{X}, please {V} it", "{X}? {V} it.", "someone should {V} {X}", "be so kind as to {V} {X}",
      "do {V} {X}", "I'd rather you {V} {X}", "you may {V} {X} now", "show {X} while {VING} it", "start {VING} {X}", "keep {VING} {X}", "{V} {X} to Bob", "{V} Bob {X}",
      "in the evening {V} {X}", "show {X} (and {V} it)", "then {V} {X}", "ok so {V} {X}", "your task: {V} {X}", "step 1: show {X}. step 2: {V} it",
    ],
    slots: cross(THINGS, VERBS).filter(({ policy, V }) => !(policy === "mail" && /mail|send/.test(V!)) && !(policy === "files" && V === "export")),
  },
  {
    name: "a write of what is calculated",
    expect: "S3",
    frames: [
      "{V} order 4411 {C}", "please {V} order 4411 with {C}", "order 4411 should be {VED} {C}", "order 4411 must be {VED} with {C}", "order 4411 is to be {VED} {C}",
      "I want order 4411 {VED} with {C}", "I'd like order 4411 {VED} {C}", "let order 4411 be {VED} {C}", "have order 4411 {VED} with {C}", "could you {V} order 4411 {C}?",
      "would you mind {VING} order 4411 {C}?", "{V} the card of order 4411 {C}", "I'd like you to {V} order 4411 {C}", "you should {V} order 4411 {C}",
      "it is necessary that order 4411 be {VED} {C}", "{VING} order 4411 {C} is what I want", "take {C} and {V} order 4411", "for order 4411 {V} {C}",
      "{C} should be {VED} to order 4411", "{C} is to be {VED} on the card of order 4411", "{V} {C} to order 4411",
    ],
    slots: cross(PAY, AMOUNTS),
  },
  {
    name: "a write of what was calculated",
    expect: "S3",
    frames: [
      "{c} {C} and {V} order 4411 by that much", "{c} {C} and {V} order 4411 that much", "{c} {C}, then {V} order 4411 with it", "{c} {C} and {V} that to order 4411",
      "{c} {C} and {V} order 4411 accordingly", "{c} {C}; order 4411 should be {VED} that much", "{c} {C}. {V} order 4411 with the result.", "{c} {C} and then {V} it",
      "{c} {C} and have order 4411 {VED} with it", "{c} {C} and use it to {V} order 4411", "{c} {C} so that order 4411 can be {VED} with it",
      "{c} {C} and {V} order 4411 that figure", "{c} {C} and let order 4411 be {VED} that amount", "{V} order 4411 after you {c} {C}",
      "{c} {C} and {V} the card of order 4411 by the same amount",
    ],
    slots: cross(PAY, COMPUTED, COMPUTE),
  },
  {
    name: "a bank's write of what is calculated",
    expect: "S3",
    frames: [
      "pay invoice 6120 with {C}", "invoice 6120 should be paid with {C}", "let invoice 6120 be paid with {C}", "I want invoice 6120 paid with {C}",
      "update the limit of card 8841 to {C}", "the limit of card 8841 should be updated to {C}", "I'd like the limit of card 8841 updated to {C}",
      "get {C} and pay invoice 6120 with it", "schedule a payment of {C} for the gym on 2027-01-05", "a payment of {C} for the gym should be scheduled on 2027-01-05",
      "invoice 6120 is to be paid with {C}",
    ],
    slots: ["half of its amount", "the total of the transactions of account 12", "the balance of account 12 minus 100", "twice the balance of account 12", "10% of the balance of account 12", "the average of the transactions of account 12"].map((C) => ({ policy: "bank", C })),
  },
  {
    name: "a thermostat set to what is calculated",
    expect: "S3",
    frames: [
      "set the thermostat to {C}", "the thermostat should be set to {C}", "I want the thermostat set to {C}", "please have the thermostat set to {C}",
      "the thermostat is to be set to {C}",
    ],
    slots: ["2 degrees higher", "the average of 18 and 22", "twice the temperature in the kitchen", "half of the temperature in the kitchen", "the temperature in the kitchen plus 2"].map((C) => ({ policy: "home", C })),
  },
  {
    name: "a calculation over another agent's data",
    expect: "S4",
    frames: [
      "what is the average of the {N}?", "what's the total of the {N}", "average the {N}", "sum up the {N}", "add up all the {N}", "compute the total of the {N}",
      "how much do the {N} come to in total?", "list the {N} and add them up", "get {own} and the {N} and compute the sum of both", "calculate the mean of the {N}",
      "the sum of the {N}, please", "the {N} should be summed up", "I'd like to know the average of the {N}", "could you tell me the total {N}?",
      "the average of the {N} must be calculated", "I want the {N} added up", "let the {N} be totalled", "show me the {N} divided by 12", "half of the {N}", "twice the {N}",
      "give me the difference between the {N} and last year", "what do the {N} average out to?", "get {own}, then work out the total of the {N}", "{N}: total?", "total {N}",
      "the {N} plus 10%", "10% of the {N}", "how many {N} are there?", "count the {N}",
    ],
    slots: FOREIGN,
  },
  {
    name: "a write that is asked for",
    expect: "runs",
    frames: [
      "{V} {X}{R}", "please {V} {X}{R}", "could you {V} {X}{R}?", "can you please {V} {X}{R}", "I'd like you to {V} {X}{R}", "I want {X} {VED}{R}", "I'd like {X} {VED}{R}",
      "{X} should be {VED}{R}", "{X} must be {VED}{R}", "{X} is to be {VED}{R}", "{X} needs to be {VED}{R}", "{X} has to be {VED}{R}", "{X} ought to be {VED}{R}",
      "have {X} {VED}{R}", "let {X} be {VED}{R}", "make sure {X} is {VED}{R}", "would you mind {VING} {X}{R}?", "go ahead and {V} {X}{R}", "could {X} be {VED}{R}?",
      "I'd like {X} to be {VED}{R}", "I need {X} {VED}{R}", "I need you to {V} {X}{R}", "it's time to {V} {X}{R}", "kindly {V} {X}{R}, thanks", "{X} needs {VING}{R}",
      "we'd like {X} {VED}{R}", "hi, {V} {X}{R}", "{V} {X}{R} right away", "everyone is waiting for you to {V} {X}{R}", "{X} is ready to be {VED}{R}",
      "please see to it that {X} is {VED}{R}", "it is necessary that {X} be {VED}{R}",
    ],
    slots: WRITES,
  },
  {
    name: "a write that is told, denied, asked about or conditional",
    expect: "no write",
    frames: [
      "don't {V} {X}{R}", "do not {V} {X}{R}", "never {V} {X}{R}", "Bob {VED} {X}{R}", "I {PAST} {X}{R} yesterday", "we {PAST} {X}{R}", "did you {V} {X}{R}?",
      "have you {VED} {X}{R}?", "has {X} been {VED}{R}?", "was {X} {VED}{R}?", "{X} was {VED}{R}", "{X} has been {VED}{R}", "if it rains {V} {X}{R}",
      "unless Bob objects, {V} {X}{R}", "should I {V} {X}{R}?", "who {PAST} {X}{R}?", "why was {X} {VED}{R}?", "Bob told me to {V} {X}{R}", "Bob asked whether to {V} {X}{R}",
      "they {V} {X}{R}", "she said that {X} was to be {VED}{R}", "I already {PAST} {X}{R}", "{X} had to be {VED}{R}", "what happens when I {V} {X}{R}?",
      "how would one {V} {X}{R}?", "I wonder who {PAST} {X}{R}", "the plan was to {V} {X}{R}", "he forgot to {V} {X}{R}", "I do not want {X} {VED}{R}", "{X} must not be {VED}{R}",
      "{X} should never be {VED}{R}", "instead of {VING} {X}{R}, wait", "no need to {V} {X}{R}", "stop {VING} {X}{R}", "{VING} {X}{R} was a mistake", "is {X} {VED}{R}?",
      "which customer had {X} {VED}{R}?", "without {VING} {X}{R}, tell me a joke", "I'm not sure whether {X} should be {VED}{R}", "I can't {V} {X}{R}",
    ],
    slots: WRITES,
  },
];
