// Who gets mail about an event, and what a person reads before it is sent: every address, and what the mail says.

import { nextcloudError } from "../../api/error.ts"
import { toPreviewLines } from "../../preview.ts"
import type { Reached } from "../../reach.ts"
import type { StoredObject } from "./api.ts"
import { seriesOf } from "./event.ts"
import type { Events } from "./load-ical.ts"

/** So many characters of addresses fit into a question. */
const mostOfAddresses = 1_500

export const toInvited = (addresses: readonly string[], object: string): readonly Reached[] =>
  addresses.map((address) => ({ kind: "email", to: address, object }))

/** Everyone who gets mail when the event changes: who is invited now, and who is invited by the change. */
export function recipientsOf(
  events: Events,
  storedObject: StoredObject,
  attendees: readonly { readonly email: string }[] = [],
): readonly string[] {
  const { root } = seriesOf(events, storedObject, "reading the attendees").document
  const invited = root.getAllSubcomponents("vevent").flatMap(events.attendeesOf)
  const byAddress = new Map([...invited, ...attendees].map(({ email }) => [email.toLowerCase(), email]))
  return [...byAddress.values()]
}

/** The lines of the question: every recipient, and every given field. */
export function invitationLines(
  addresses: readonly string[],
  { attendees: _, ...fields }: Readonly<Record<string, unknown>>,
): readonly string[] {
  if (addresses.join("").length > mostOfAddresses)
    throw nextcloudError("invalid", {
      activity: "inviting people",
      because: `these are too many recipients to show to a person: ${addresses.length}`,
      advice: "Invite fewer people, or a group of them in an event of its own.",
    })
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return [...addresses.map((address) => `To: ${address}`), ...given.flatMap(fieldLines)]
}

function fieldLines([name, value]: readonly [string, unknown]): readonly string[] {
  const valueText = typeof value === "string" ? value : JSON.stringify(value)
  return /^[^\r\n]{0,200}$/.test(valueText) ? [`${name}: “${valueText}”`] : [`${name}:`, ...toPreviewLines(valueText)]
}
