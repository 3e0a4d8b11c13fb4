// What is in calendars, as CalDAV has it. Events and tasks are named by calendar and file: “work/ev1.ics”.

import { davSend, maybeReadOnly, multistatus, propfind } from "../../api/dav.ts"
import type { NextcloudError } from "../../api/error.ts"
import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { decoded } from "../../decoded.ts"
import { bare } from "../../etag.ts"
import { caldav, childOf, childrenOf, dav, textOf, toDocument, xml } from "../../xml.ts"
import { homePath, readCalendars } from "./homes.ts"

/** One file of a calendar: an event or a task, with everything that belongs to its series. */
export interface Stored {
  /** “work/ev1.ics” */
  readonly id: string
  readonly etag: string
  readonly text: string
}

/** Nothing at all would be all calendars. */
export async function calendarPath(nextcloud: Nextcloud, calendar: string): Promise<string> {
  if (calendar.trim() === "" || calendar === "." || calendar === ".." || calendar.includes("/")) {
    const because = `“${calendar}” is no id of a calendar`
    throw nextcloudError("invalid", { doing: "finding the calendar", because, advice: "Use an id as it was listed." })
  }
  return `${await homePath(nextcloud)}${encodeURIComponent(calendar)}/`
}

export const calendarOf = (id: string): string => decoded(id.split("/")[0] ?? "")

export async function objectPath(nextcloud: Nextcloud, id: string, doing: string): Promise<string> {
  const parts = id.split("/").map(decoded)
  if (parts.length !== 2 || parts.some((part) => part === "" || part === "." || part === ".." || part.includes("/")))
    throw nextcloudError("invalid", { doing, because: `“${id}” is no id`, advice: "Use an id as it was listed." })
  return `${await homePath(nextcloud)}${parts.map(encodeURIComponent).join("/")}`
}

/** From an address: its last two parts. */
export const idOf = (href: string): string =>
  href.replace(/\/$/, "").split("/").slice(-2).map(decoded).map(encodeURIComponent).join("/")

export const idIn = (calendar: string, file: string): string =>
  `${encodeURIComponent(calendar)}/${encodeURIComponent(file)}`

export interface CalendarQuery {
  readonly kind: "VEVENT" | "VTODO"
  /** Instants. */
  readonly range?: { readonly from: number; readonly to: number }
}

/** Everything of a kind that touches the range, as whole files. Days are days of UTC there: ask for one more. */
export async function queryCalendar(
  nextcloud: Nextcloud,
  calendar: string,
  { kind, range }: CalendarQuery,
  doing: string,
): Promise<readonly Stored[]> {
  const time = range === undefined ? "" : `<cal:time-range start="${stamp(range.from)}" end="${stamp(range.to)}"/>`
  const wanted = `<cal:comp-filter name="${kind}">${time}</cal:comp-filter>`
  const filter = `<cal:filter><cal:comp-filter name="VCALENDAR">${wanted}</cal:comp-filter></cal:filter>`
  const content = { xml: `<d:prop><d:getetag/><cal:calendar-data/></d:prop>${filter}` }
  const body = toDocument("cal:calendar-query", content)
  const path = await calendarPath(nextcloud, calendar)
  const answer = await davSend(nextcloud, { method: "REPORT", path, body, depth: 1, doing })
  return multistatus(answer, doing).flatMap(({ href, props }) => {
    const text = textOf(props, caldav, "calendar-data")
    return text === undefined ? [] : [{ id: idOf(href), etag: bare(textOf(props, dav, "getetag") ?? ""), text }]
  })
}

const stamp = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+/, "").replace(/[-:]/g, "")

export async function readObject(nextcloud: Nextcloud, id: string, doing: string): Promise<Stored> {
  const answer = await nextcloud.send({ path: await objectPath(nextcloud, id, doing), doing })
  return { id, etag: bare(answer.headers.get("etag") ?? ""), text: answer.text() }
}

/**
 * Writes a file: a new one when there is no etag to match. When the server has changed what it was sent (it does for
 * invitations), it tells no etag, and what it made of it is read.
 */
export async function writeObject(
  nextcloud: Nextcloud,
  { id, text, etag }: Omit<Stored, "etag"> & { readonly etag?: string },
  doing: string,
): Promise<Stored> {
  const condition: Record<string, string> = etag === undefined ? { "if-none-match": "*" } : { "if-match": `"${etag}"` }
  const headers = { "content-type": "text/calendar; charset=utf-8", ...condition }
  const path = await objectPath(nextcloud, id, doing)
  const answer = await nextcloud
    .send({ method: "PUT", path, headers, body: text, doing })
    .catch((error: unknown) => Promise.reject(asWrongKind(error, doing)))
  const written = assertDone(answer, doing).headers.get("etag")
  return written === null ? readObject(nextcloud, id, doing) : { id, text, etag: bare(written) }
}

/** An event for a list of tasks, or a task for a calendar: nobody forbids it, it is the wrong place. */
function asWrongKind(error: unknown, doing: string): unknown {
  const only = isNextcloudError(error) ? /component of type (VEVENT|VTODO)/.exec(error.said)?.[1] : undefined
  if (only === undefined) return error
  const [because, wanted] = only === "VTODO" ? ["it holds only tasks", "events"] : ["it holds only events", "tasks"]
  return nextcloudError("invalid", { doing, because, advice: `Use one that holds ${wanted}.` })
}

/** Pages of errors come with status 200; what was written, moved or deleted is told by 201 or 204. */
export function assertDone(answer: NcAnswer, doing: string): NcAnswer {
  if (answer.status === 201 || answer.status === 204) return answer
  throw nextcloudError("malformed", { doing, status: answer.status, said: "something else than “done”" })
}

export async function removeObject(nextcloud: Nextcloud, { id, etag }: Pick<Stored, "id" | "etag">, doing: string) {
  const path = await objectPath(nextcloud, id, doing)
  assertDone(await nextcloud.send({ method: "DELETE", path, headers: { "if-match": `"${etag}"` }, doing }), doing)
}

/** Keeps the file and everything in it. Never writes over another. */
export async function moveObject(
  nextcloud: Nextcloud,
  { id, etag }: { readonly id: string; readonly etag?: string | undefined },
  calendar: string,
  doing: string,
): Promise<string> {
  const moved = `${encodeURIComponent(calendar)}/${id.split("/")[1] ?? ""}`
  const destination = `${nextcloud.url}${await objectPath(nextcloud, moved, doing)}`
  const headers = { destination, overwrite: "F", ...(etag === undefined ? {} : { "if-match": `"${etag}"` }) }
  const path = await objectPath(nextcloud, id, doing)
  assertDone(await nextcloud.send({ method: "MOVE", path, headers, doing }), doing)
  return moved
}

type Act<T> = (id: string) => Promise<T>

/**
 * Writes in a calendar. One that may only be read answers writes with “not found”, or breaks with 500, and models call
 * calendars by their names: what is meant is looked up before the error is passed on.
 */
export const inCalendar = <T>(nextcloud: Nextcloud, calendar: string, doing: string, act: Act<T>): Promise<T> =>
  lookingUp(nextcloud, { calendar, doing, isUnclear: maybeReadOnly }, act)

/** The same for reading, which a calendar that may only be read does not refuse. */
export const readingCalendar = <T>(nextcloud: Nextcloud, calendar: string, doing: string, act: Act<T>): Promise<T> =>
  lookingUp(nextcloud, { calendar, doing, isUnclear: ({ kind }) => kind === "not_found" }, act)

interface Place {
  readonly calendar: string
  readonly doing: string
  readonly isUnclear: (error: NextcloudError) => boolean
}

async function lookingUp<T>(nextcloud: Nextcloud, { calendar, doing, isUnclear }: Place, act: Act<T>): Promise<T> {
  try {
    return await act(calendar)
  } catch (error) {
    if (!isNextcloudError(error) || !isUnclear(error)) throw error
    const all = await readCalendars(nextcloud)
    const found = all.find(({ id }) => id === calendar)
    if (found?.read_only === true)
      throw nextcloudError("forbidden", { ...readOnly(found.name), doing, status: error.status })
    if (found !== undefined || error.kind !== "not_found") throw error
    const named = all.filter(({ name }) => name.toLowerCase() === calendar.toLowerCase())
    const [only] = named
    if (only !== undefined && named.length === 1) return act(only.id)
    const there = all.map(({ id, name }) => `${id} (“${name}”)`).join(", ")
    throw nextcloudError("not_found", {
      doing,
      because: `there is no calendar “${calendar}”`,
      advice: `There are: ${there}. nc_calendar_create_calendar makes another, with \`holds\`: tasks a list of tasks.`,
    })
  }
}

const readOnly = (name: string) => ({
  because: `this account may not do that: the calendar “${name}” may only be read`,
  advice: "Use another calendar, or have its owner allow changes.",
})

/** Who this is to calendars: the address that invites, and all that may be invited. */
export interface Own {
  readonly email?: string
  readonly name?: string
  readonly addresses: readonly string[]
  /** As the server writes it, encoded: who asks for the times of others is compared with that, letter by letter. */
  readonly href?: string
}

export async function readOwn(nextcloud: Nextcloud): Promise<Own> {
  const doing = "reading who this is to calendars"
  const path = `/remote.php/dav/principals/users/${encodeURIComponent(await nextcloud.userId())}/`
  const props = xml`<d:displayname/><cal:calendar-user-address-set/>`
  const [found] = await propfind(nextcloud, { path, props, doing })
  const set = childOf(found?.props, caldav, "calendar-user-address-set")
  const hrefs = childrenOf(set, dav, "href").map(({ text }) => text.trim())
  const isMail = (address: string): boolean => /^mailto:/i.test(address)
  const href = hrefs.find(isMail) ?? hrefs[0]
  // “mailto:ann%2bwork@…” is ann+work: events name her so.
  const addresses = hrefs.map(decoded)
  const email = addresses.find(isMail)?.replace(/^mailto:/i, "")
  const name = textOf(found?.props, dav, "displayname")
  return {
    addresses,
    ...(href === undefined ? {} : { href }),
    ...(email === undefined ? {} : { email }),
    ...(name === undefined || name === "" ? {} : { name }),
  }
}

/** Without an address of one's own nobody can be invited. */
export async function readOrganizer(nextcloud: Nextcloud, doing: string): Promise<{ email: string; name?: string }> {
  const { email, name } = await readOwn(nextcloud)
  if (email !== undefined) return { email, ...(name === undefined ? {} : { name }) }
  throw nextcloudError("invalid", {
    doing,
    because: "this account has no e-mail address, so it cannot invite",
    advice: "Leave `attendees` out, or tell the user to enter an address in their personal settings in Nextcloud.",
  })
}
