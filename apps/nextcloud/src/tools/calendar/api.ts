// Calendar objects over CalDAV. Events and tasks have ids made of calendar and file: “work/ev1.ics”.

import { davSend, maybeReadOnly, multistatus, propfind } from "../../api/dav.ts"
import type { NextcloudError } from "../../api/error.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { toBareEtag } from "../../etag.ts"
import { decodeSegment } from "../../path-encoding.ts"
import { caldav, childOf, childrenOf, dav, textOf, toDocument, xml } from "../../xml.ts"
import { homePath, readCalendars } from "./calendar-list.ts"

/** One file of a calendar: an event or a task, with its whole series. */
export interface StoredObject {
  /** For example “work/ev1.ics”. */
  readonly id: string
  readonly etag: string
  readonly text: string
}

/** The WebDAV path of a calendar. An empty id is refused, because its path would be that of all calendars. */
export async function calendarPath(nextcloud: Nextcloud, calendar: string): Promise<string> {
  if (calendar.trim() === "" || calendar === "." || calendar === ".." || calendar.includes("/")) {
    const because = `“${calendar}” is not the id of a calendar`
    throw nextcloudError("invalid", {
      activity: "finding the calendar",
      because,
      advice: "Use an id exactly as listed.",
    })
  }
  return `${await homePath(nextcloud)}${encodeURIComponent(calendar)}/`
}

export const calendarOf = (id: string): string => decodeSegment(id.split("/")[0] ?? "")

export async function objectPath(nextcloud: Nextcloud, id: string, activity: string): Promise<string> {
  const parts = id.split("/").map(decodeSegment)
  if (parts.length !== 2 || parts.some((part) => part === "" || part === "." || part === ".." || part.includes("/")))
    throw nextcloudError("invalid", {
      activity,
      because: `“${id}” is not an id`,
      advice: "Use an id exactly as listed.",
    })
  return `${await homePath(nextcloud)}${parts.map(encodeURIComponent).join("/")}`
}

/** The id of an object: the last two segments of its href. */
export const idOf = (href: string): string =>
  href.replace(/\/$/, "").split("/").slice(-2).map(decodeSegment).map(encodeURIComponent).join("/")

export const toObjectId = (calendar: string, file: string): string =>
  `${encodeURIComponent(calendar)}/${encodeURIComponent(file)}`

export interface CalendarQuery {
  readonly kind: "VEVENT" | "VTODO"
  /** The range as instants. */
  readonly range?: { readonly from: number; readonly to: number }
}

/**
 * All objects of a kind that touch the range, as complete files. The server compares dates in UTC, so callers widen the
 * range by a day.
 */
export async function queryCalendar(
  nextcloud: Nextcloud,
  calendar: string,
  { kind, range }: CalendarQuery,
  activity: string,
): Promise<readonly StoredObject[]> {
  const timeFilter =
    range === undefined ? "" : `<cal:time-range start="${stamp(range.from)}" end="${stamp(range.to)}"/>`
  const componentFilter = `<cal:comp-filter name="${kind}">${timeFilter}</cal:comp-filter>`
  const filter = `<cal:filter><cal:comp-filter name="VCALENDAR">${componentFilter}</cal:comp-filter></cal:filter>`
  const content = { xml: `<d:prop><d:getetag/><cal:calendar-data/></d:prop>${filter}` }
  const body = toDocument("cal:calendar-query", content)
  const path = await calendarPath(nextcloud, calendar)
  const answer = await davSend(nextcloud, { method: "REPORT", path, body, depth: 1, activity })
  return multistatus(answer, activity).flatMap(({ href, props }) => {
    const text = textOf(props, caldav, "calendar-data")
    return text === undefined ? [] : [{ id: idOf(href), etag: toBareEtag(textOf(props, dav, "getetag") ?? ""), text }]
  })
}

const stamp = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+/, "").replace(/[-:]/g, "")

export async function readObject(nextcloud: Nextcloud, id: string, activity: string): Promise<StoredObject> {
  const answer = await nextcloud.send({ path: await objectPath(nextcloud, id, activity), activity })
  return { id, etag: toBareEtag(answer.headers.get("etag") ?? ""), text: answer.text() }
}

/**
 * Writes a file, or creates it when no etag is given. A server that modified the content (as for invitations) returns
 * no etag; the file is then read back.
 */
export async function writeObject(
  nextcloud: Nextcloud,
  { id, text, etag }: Omit<StoredObject, "etag"> & { readonly etag?: string },
  activity: string,
): Promise<StoredObject> {
  const condition: Record<string, string> = etag === undefined ? { "if-none-match": "*" } : { "if-match": `"${etag}"` }
  const headers = { "content-type": "text/calendar; charset=utf-8", ...condition }
  const path = await objectPath(nextcloud, id, activity)
  const answer = await nextcloud
    .send({ method: "PUT", path, headers, body: text, activity })
    .catch((error: unknown) => Promise.reject(toWrongKindError(error, activity)))
  const newEtag = assertDone(answer, activity).headers.get("etag")
  return newEtag === null ? readObject(nextcloud, id, activity) : { id, text, etag: toBareEtag(newEtag) }
}

/**
 * The error for an event that was written into a task list, or a task into a calendar for events. Returns other errors
 * unchanged.
 */
function toWrongKindError(error: unknown, activity: string): unknown {
  const onlyKind = isNextcloudError(error) ? /component of type (VEVENT|VTODO)/.exec(error.detail)?.[1] : undefined
  if (onlyKind === undefined) return error
  const [because, otherKind] =
    onlyKind === "VTODO" ? ["it holds only tasks", "events"] : ["it holds only events", "tasks"]
  return nextcloudError("invalid", { activity, because, advice: `Use a calendar that holds ${otherKind}.` })
}

/** Throws unless the status is 201 or 204, as after every successful write, move or delete: error pages have 200. */
export function assertDone(answer: NcAnswer, activity: string): NcAnswer {
  if (answer.status === 201 || answer.status === 204) return answer
  throw nextcloudError("malformed", { activity, status: answer.status, detail: "a status other than 201 or 204" })
}

export async function removeObject(
  nextcloud: Nextcloud,
  { id, etag }: Pick<StoredObject, "id" | "etag">,
  activity: string,
) {
  const path = await objectPath(nextcloud, id, activity)
  assertDone(await nextcloud.send({ method: "DELETE", path, headers: { "if-match": `"${etag}"` }, activity }), activity)
}

/** Moves a file unchanged to another calendar, and returns its new id. Never overwrites another file. */
export async function moveObject(
  nextcloud: Nextcloud,
  { id, etag }: { readonly id: string; readonly etag?: string | undefined },
  calendar: string,
  activity: string,
): Promise<string> {
  const targetId = `${encodeURIComponent(calendar)}/${id.split("/")[1] ?? ""}`
  const destination = `${nextcloud.url}${await objectPath(nextcloud, targetId, activity)}`
  const headers = { destination, overwrite: "F", ...(etag === undefined ? {} : { "if-match": `"${etag}"` }) }
  const path = await objectPath(nextcloud, id, activity)
  assertDone(await nextcloud.send({ method: "MOVE", path, headers, activity }), activity)
  return targetId
}

type CalendarAction<T> = (id: string) => Promise<T>

/**
 * Runs a write in a calendar. Read-only calendars answer writes with 404 or 500, and models sometimes pass a calendar's
 * name: after such an error the calendars are read, to find the reason or the id.
 */
export const writeInCalendar = <T>(
  nextcloud: Nextcloud,
  calendar: string,
  activity: string,
  action: CalendarAction<T>,
): Promise<T> => withCalendarHint(nextcloud, { calendar, activity, isUnclear: maybeReadOnly }, action)

/**
 * Runs a read in a calendar. When there is no calendar of this id, looks for one of this name, as `inCalendar` does.
 */
export const readInCalendar = <T>(
  nextcloud: Nextcloud,
  calendar: string,
  activity: string,
  action: CalendarAction<T>,
): Promise<T> =>
  withCalendarHint(nextcloud, { calendar, activity, isUnclear: ({ kind }) => kind === "not_found" }, action)

interface CalendarAccess {
  readonly calendar: string
  readonly activity: string
  readonly isUnclear: (error: NextcloudError) => boolean
}

async function withCalendarHint<T>(
  nextcloud: Nextcloud,
  { calendar, activity, isUnclear }: CalendarAccess,
  action: CalendarAction<T>,
): Promise<T> {
  try {
    return await action(calendar)
  } catch (error) {
    if (!isNextcloudError(error) || !isUnclear(error)) throw error
    const all = await readCalendars(nextcloud)
    const existing = all.find(({ id }) => id === calendar)
    if (existing?.read_only === true)
      throw nextcloudError("forbidden", { ...readOnly(existing.name), activity, status: error.status })
    if (existing !== undefined || error.kind !== "not_found") throw error
    const sameNamed = all.filter(({ name }) => name.toLowerCase() === calendar.toLowerCase())
    const [onlyCalendar] = sameNamed
    if (onlyCalendar !== undefined && sameNamed.length === 1) return action(onlyCalendar.id)
    const calendarList = all.map(({ id, name }) => `${id} (“${name}”)`).join(", ")
    throw nextcloudError("not_found", {
      activity,
      because: `there is no calendar “${calendar}”`,
      advice: `The calendars are: ${calendarList}. nc_calendar_create_calendar creates a calendar, or a task list with \`holds: tasks\`.`,
    })
  }
}

const readOnly = (name: string) => ({
  because: `this account may not do that: the calendar “${name}” is read-only`,
  advice: "Use another calendar, or have its owner allow changes.",
})

/** The calendar identity of the user: the address that invites, and all addresses under which they are invited. */
export interface OwnAddresses {
  readonly email?: string
  readonly name?: string
  readonly addresses: readonly string[]
  /** The encoded href as the server writes it: free-busy requests compare the originator with it literally. */
  readonly href?: string
}

export async function readOwn(nextcloud: Nextcloud): Promise<OwnAddresses> {
  const activity = "reading the user's calendar addresses"
  const path = `/remote.php/dav/principals/users/${encodeURIComponent(await nextcloud.userId())}/`
  const props = xml`<d:displayname/><cal:calendar-user-address-set/>`
  const [principal] = await propfind(nextcloud, { path, props, activity })
  const set = childOf(principal?.props, caldav, "calendar-user-address-set")
  const hrefs = childrenOf(set, dav, "href").map(({ text }) => text.trim())
  const isMail = (address: string): boolean => /^mailto:/i.test(address)
  const href = hrefs.find(isMail) ?? hrefs[0]
  // Events contain the decoded form: “mailto:ann%2bwork@…” is ann+work.
  const addresses = hrefs.map(decodeSegment)
  const email = addresses.find(isMail)?.replace(/^mailto:/i, "")
  const name = textOf(principal?.props, dav, "displayname")
  return {
    addresses,
    ...(href === undefined ? {} : { href }),
    ...(email === undefined ? {} : { email }),
    ...(name === undefined || name === "" ? {} : { name }),
  }
}

/** The organizer for new invitations. Throws when the account has no e-mail address. */
export async function readOrganizer(nextcloud: Nextcloud, activity: string): Promise<{ email: string; name?: string }> {
  const { email, name } = await readOwn(nextcloud)
  if (email !== undefined) return { email, ...(name === undefined ? {} : { name }) }
  throw nextcloudError("invalid", {
    activity,
    because: "this account has no e-mail address, so it cannot invite anyone",
    advice: "Omit `attendees`, or tell the user to enter an address in their personal settings in Nextcloud.",
  })
}
