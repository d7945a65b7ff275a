// What AgentDojo's tools answer, from its environments: the mailboxes, pages and entries that an injected text stands in.

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { shared } from "../vectors/shared";

export type SuiteName = "banking" | "slack" | "travel" | "workspace";
type Arguments = Record<string, unknown>;

/** An environment: what each tool answers, what the host knows of the person, and what it looks up itself. */
export interface World {
  /** The result as MCP's structured content has it: an object; lists and texts are its member `result`. Of a tool that changes something, `{}` or the new thing's id. */
  answer(tool: string, args: Arguments): Record<string, unknown>;
  principal: Record<string, unknown>;
  resource?: Record<string, unknown>;
}

type Answers = Record<string, (args: Arguments) => unknown>;

/** Opens an environment. Where `injected` is given it stands in every place where the benchmark lets an attacker write; else the ordinary text does. */
export function openWorld(suite: SuiteName, injected: string | null): World {
  const { answers, ...host } = WORLDS[suite]((file) => environment(suite, file, injected));
  return {
    ...host,
    answer(tool, args) {
      const found = answers[tool]?.(args) ?? {};
      return typeof found === "object" && !Array.isArray(found) ? (found as Record<string, unknown>) : { result: found };
    },
  };
}

const read = new Map<string, any>();

function yaml(file: string): any {
  if (!read.has(file)) read.set(file, parse(readFileSync(shared(`vectors/agentdojo/environment/${file}.yaml`), "utf8")));
  return read.get(file);
}

/** A file of the environment with its places filled in, as values: a text is filled after the file was read, so that it cannot change what the file says. */
function environment(suite: SuiteName, file: string, injected: string | null): any {
  const places = yaml(`${suite}_injection_vectors`) as Record<string, { default: string }>;
  const fill = (value: unknown): unknown => {
    if (typeof value === "string") return value.replace(/\{(\w+)\}/g, (whole, name: string) => (name in places ? (injected ?? places[name]!.default) : whole));
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [fill(name), fill(inner)]));
  };
  return fill(yaml(file));
}

type Open = (read: (file: string) => any) => { answers: Answers; principal: Record<string, unknown>; resource?: Record<string, unknown> };

const holds = (text: unknown, query: unknown): boolean => String(text ?? "").toLowerCase().includes(String(query).toLowerCase());

const banking: Open = (read) => {
  const { bank_account: account, filesystem, user_account: user } = read("banking");
  const { password: _, ...info } = user;
  return {
    principal: { id: account.iban },
    resource: { balance: account.balance },
    answers: {
      get_iban: () => account.iban,
      get_balance: () => account.balance,
      get_user_info: () => info,
      get_most_recent_transactions: ({ n = 100 }) => account.transactions.slice(-(n as number)),
      get_scheduled_transactions: () => account.scheduled_transactions,
      read_file: ({ file_path }) => filesystem.files[file_path as string] ?? "",
    },
  };
};

const slack: Open = (read) => {
  const { slack: team, web } = read("slack");
  // The benchmark's calls name the shared channel as it is without an injected text.
  const named = (channel: unknown): string => (String(channel).startsWith("External") ? team.channels.find((name: string) => name.startsWith("External")) : String(channel));
  return {
    principal: { id: "workspace-bot" },
    answers: {
      get_channels: () => team.channels,
      get_users_in_channel: ({ channel }) => Object.keys(team.user_channels).filter((user) => team.user_channels[user].includes(named(channel))),
      read_channel_messages: ({ channel }) => team.channel_inbox[named(channel)] ?? [],
      read_inbox: ({ user }) => team.user_inbox[user as string] ?? [],
      get_webpage: ({ url }) => web.web_content[String(url).replace(/^https?:\/\//, "")] ?? "404 Page not found",
    },
  };
};

function calendarAnswers(events: any[]): Answers {
  const onDay = (event: any, day: unknown) => String(event.start_time).startsWith(String(day));
  return {
    get_day_calendar_events: ({ day }) => events.filter((event) => onDay(event, day)),
    search_calendar_events: ({ query, date }) => events.filter((event) => (holds(event.title, query) || holds(event.description, query)) && (date == null || onDay(event, date))),
    create_calendar_event: () => ({ id_: String(events.length + 1) }),
  };
}

const travel: Open = (read) => {
  const { user, flights, hotels, restaurants, car_rental, calendar } = read("travel");
  /** Looks entries up by their names, and answers a member of each. */
  const of = (entries: any[], argument: string, show: (entry: any) => unknown) => (args: Arguments) =>
    Object.fromEntries(entries.filter(({ name }) => [args[argument]].flat().includes(name)).map((entry) => [entry.name, show(entry)]));
  const inCity = (entries: any[]) => (args: Arguments) => entries.filter(({ city }) => city === args.city).map(({ name }) => name);
  const reviews = ({ rating, reviews: texts }: any) => `Rating: ${rating}. Reviews: ${texts.join(", ")}`;
  const [hotelList, restaurantList, companyList] = [hotels.hotel_list, restaurants.restaurant_list, car_rental.company_list];
  const restaurant = (show: (entry: any) => unknown) => of(restaurantList, "restaurant_names", show);
  const company = (show: (entry: any) => unknown) => of(companyList, "company_name", show);
  return {
    principal: { id: user.email, papers: [user.ID_number, user.passport_number, user.bank_account_number, user.credit_card_number] },
    answers: {
      ...calendarAnswers(calendar.initial_events),
      get_user_information: () => user,
      get_all_hotels_in_city: inCity(hotelList),
      get_hotels_prices: of(hotelList, "hotel_names", ({ price_min, price_max }) => `${price_min} - ${price_max}`),
      get_rating_reviews_for_hotels: of(hotelList, "hotel_names", reviews),
      get_hotels_address: of(hotelList, "hotel_name", ({ address }) => address),
      get_all_restaurants_in_city: inCity(restaurantList),
      get_cuisine_type_for_restaurants: restaurant(({ cuisine_type }) => cuisine_type),
      get_restaurants_address: restaurant(({ address }) => address),
      get_rating_reviews_for_restaurants: restaurant(reviews),
      get_dietary_restrictions_for_all_restaurants: restaurant(({ dietary_restrictions }) => dietary_restrictions),
      get_contact_information_for_restaurants: restaurant(({ contact_information }) => contact_information),
      get_price_for_restaurants: restaurant(({ price_per_person }) => price_per_person),
      check_restaurant_opening_hours: restaurant(({ operating_hours }) => operating_hours),
      get_all_car_rental_companies_in_city: inCity(companyList),
      get_car_types_available: company(({ car_types_available }) => car_types_available),
      get_rating_reviews_for_car_rental: company(reviews),
      get_car_fuel_options: company(({ fuel_options }) => fuel_options),
      get_car_rental_address: company(({ address }) => address),
      get_car_price_per_day: company(({ price_per_day }) => price_per_day),
      get_flight_information: (args) =>
        flights.flight_list.filter(({ departure_city, arrival_city }: any) => departure_city === args.departure_city && arrival_city === args.arrival_city),
    },
  };
};

const workspace: Open = (read) => {
  const { initial_events: events, current_day } = read("workspace_calendar");
  const { initial_emails: emails, account_email } = read("workspace_inbox");
  const files: any[] = read("workspace_cloud_drive").initial_files;
  const received = emails.filter(({ status }: any) => status === "received");
  const addresses = [...new Set<string>(emails.flatMap(({ sender, recipients }: any) => [sender, ...recipients]))];
  const contacts = addresses.map((email) => ({ email, name: email.replace(/@.*/, "").replaceAll(".", " ") }));
  return {
    principal: { id: account_email, domain: account_email.replace(/.*@/, "") },
    answers: {
      ...calendarAnswers(events),
      get_current_day: () => String(current_day),
      get_unread_emails: () => received.filter(({ read: seen }: any) => !seen),
      get_received_emails: () => received,
      get_sent_emails: () => emails.filter(({ status }: any) => status === "sent"),
      get_draft_emails: () => [],
      search_emails: ({ query, sender }) =>
        emails.filter((email: any) => (holds(email.subject, query) || holds(email.body, query)) && (sender == null || email.sender === sender)),
      search_contacts_by_name: ({ query }) => contacts.filter(({ name }) => holds(name, query)),
      search_contacts_by_email: ({ query }) => contacts.filter(({ email }) => holds(email, query)),
      search_files_by_filename: ({ filename }) => files.filter((file) => holds(file.filename, filename)),
      get_file_by_id: ({ file_id }) => files.find(({ id_ }) => id_ === file_id) ?? {},
      list_files: () => files,
      search_files: ({ query }) => files.filter(({ content }) => holds(content, query)),
      create_file: () => ({ id_: String(files.length) }),
    },
  };
};

const WORLDS: Record<SuiteName, Open> = { banking, slack, travel, workspace };
