// The people of an event: the organizer and the attendees with their answers.

import ICAL from "ical.js"
import type { Component, Property } from "./document.ts"

export type Role = "required" | "optional" | "chair" | "informed"
export type Answer = "accepted" | "declined" | "tentative" | "needs_action" | "delegated"

export interface Invitee {
  readonly email: string
  readonly name?: string | undefined
  readonly role?: Role | undefined
}

export interface Attendee {
  readonly email: string
  readonly name?: string
  readonly role?: Role
  readonly answer: Answer
}

/** The person who invites, with the name and address of their calendar account. */
export interface Organizer {
  readonly email: string
  readonly name?: string | undefined
}

const roles: Readonly<Record<Role, string>> = {
  required: "REQ-PARTICIPANT",
  optional: "OPT-PARTICIPANT",
  chair: "CHAIR",
  informed: "NON-PARTICIPANT",
}

export const emailOf = (property: Property): string =>
  String(property.getFirstValue() ?? "")
    .replace(/^mailto:/i, "")
    .trim()

export function attendeesOf(component: Component): readonly Attendee[] {
  return component.getAllProperties("attendee").map((property) => {
    const name = parameter(property, "cn")
    const role = (Object.keys(roles) as Role[]).find(
      (candidate) => roles[candidate] === parameter(property, "role")?.toUpperCase(),
    )
    return {
      email: emailOf(property),
      ...(name === undefined ? {} : { name }),
      ...(role === undefined || role === "required" ? {} : { role }),
      answer: answerOf(property),
    }
  })
}

const answers: readonly Answer[] = ["accepted", "declined", "tentative", "delegated"]

function answerOf(property: Property): Answer {
  const status = parameter(property, "partstat")?.toLowerCase()
  return answers.find((answer) => answer === status) ?? "needs_action"
}

function parameter(property: Property, name: string): string | undefined {
  const value: unknown = property.getFirstParameter(name)
  return typeof value === "string" && value !== "" ? value : undefined
}

export function organizerOf(component: Component): Organizer | undefined {
  const property = component.getFirstProperty("organizer")
  if (property === null) return undefined
  const name = parameter(property, "cn")
  return { email: emailOf(property), ...(name === undefined ? {} : { name }) }
}

/** Replaces the list of attendees. An attendee already on it keeps their answer and all other parameters. */
export function setAttendees(
  component: Component,
  invited: readonly Invitee[],
  organizer: Organizer | undefined,
): void {
  const oldAttendees = component.getAllProperties("attendee")
  const keptProperties = new Set<Property>()
  for (const { email, name, role } of invited) {
    const existing = oldAttendees.find((property) => isSame(emailOf(property), email))
    // In lower case, because the server finds the attendee by this address when they answer.
    const address = `mailto:${email.toLowerCase()}`
    const property = existing ?? new ICAL.Property(["attendee", invitation(), "cal-address", address])
    if (existing === undefined) component.addProperty(property)
    else keptProperties.add(existing)
    if (name !== undefined) property.setParameter("cn", name)
    if (role !== undefined || existing === undefined) property.setParameter("role", roles[role ?? "required"])
  }
  for (const property of oldAttendees) if (!keptProperties.has(property)) component.removeProperty(property)
  if (invited.length === 0) component.removeAllProperties("organizer")
  else if (!component.hasProperty("organizer") && organizer !== undefined) addOrganizer(component, organizer)
}

/**
 * The parameters of a new attendee. A new object each time, because the property keeps it and writes name and role into
 * it.
 */
const invitation = () => ({ cutype: "INDIVIDUAL", partstat: "NEEDS-ACTION", rsvp: "TRUE" })

function addOrganizer(component: Component, { email, name }: Organizer): void {
  const parameters = name === undefined ? {} : { cn: name }
  component.addProperty(new ICAL.Property(["organizer", parameters, "cal-address", `mailto:${email}`]))
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Sets the answer of the attendee with one of these addresses. Returns false when none of the addresses is invited. */
export function setAnswer(component: Component, addresses: readonly string[], answer: Answer): boolean {
  const invitations = component.getAllProperties("attendee").filter((property) => {
    const value = String(property.getFirstValue() ?? "")
    return addresses.some(
      (address) => isSame(address, value) || isSame(address.replace(/^mailto:/i, ""), emailOf(property)),
    )
  })
  for (const property of invitations) {
    property.setParameter("partstat", answer.replace("_", "-").toUpperCase())
    property.removeParameter("rsvp")
  }
  return invitations.length > 0
}
