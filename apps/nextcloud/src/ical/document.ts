// An iCalendar file: parsed into components, changed there, and written back. Unchanged lines are written exactly as
// they were read, so that unknown properties survive.

import ICAL from "ical.js"
import { tzlib_get_timezones as definedNames, tzlib_get_ical_block as definitionOf } from "timezones-ical-library"
import type { Zone } from "./zone.ts"
import { zoneOf } from "./zone.ts"

export type Component = InstanceType<typeof ICAL.Component>
export type Property = InstanceType<typeof ICAL.Property>

export interface Document {
  readonly root: Component
  /** Resolves a TZID of this file. */
  zone(tzid: string): Zone
  toString(): string
}

/** Parses a file. Throws when it is not a calendar. */
export function readDocument(text: string): Document {
  const root = ICAL.Component.fromString(linesOf(text).map(toReadableLine).join("\r\n"))
  if (root.name !== "vcalendar") throw new Error("This is not a calendar file.")
  const lines = new Map<string, string>()
  rememberLines(root, toTree(text), lines)
  return documentOf(root, lines)
}

export function newDocument(): Document {
  const root = new ICAL.Component("vcalendar")
  root.addPropertyWithValue("version", "2.0")
  root.addPropertyWithValue("prodid", "-//Holdpoint//Nextcloud//EN")
  root.addPropertyWithValue("calscale", "GREGORIAN")
  return documentOf(root, new Map())
}

function documentOf(root: Component, lines: ReadonlyMap<string, string>): Document {
  const zones = new Map<string, Zone>()
  return {
    root,
    zone(tzid) {
      const zone = zones.get(tzid) ?? zoneOf(tzid, definitionIn(root, tzid))
      zones.set(tzid, zone)
      return zone
    },
    toString() {
      addDefinitions(root)
      return write(root, lines)
    },
  }
}

const definitionIn = (root: Component, tzid: string): Component | undefined =>
  root.getAllSubcomponents("vtimezone").find((zone) => zone.getFirstPropertyValue("tzid") === tzid)

/** Adds a VTIMEZONE for every zone in use (RFC 5545 section 3.6.5) whose definition is known. */
function addDefinitions(root: Component): void {
  for (const tzid of new Set(root.getAllSubcomponents().flatMap(zonesIn))) {
    if (definitionIn(root, tzid) !== undefined) continue
    const text = vtimezoneOf(tzid)
    if (text !== undefined) root.addSubcomponent(ICAL.Component.fromString(text))
  }
}

/**
 * The VTIMEZONE of an IANA name, or undefined for an unknown name. Its TZID is set to that name, because the library
 * returns definitions of old names under the new ones.
 */
export function vtimezoneOf(name: string): string | undefined {
  knownZones ??= new Set(definedNames())
  if (!knownZones.has(name)) return undefined
  const [text] = definitionOf(name)
  return text?.replace(/^TZID:.*$/m, `TZID:${name}`)
}

let knownZones: ReadonlySet<string> | undefined

function zonesIn(component: Component): readonly string[] {
  if (component.name === "vtimezone") return []
  const ownZones = component.getAllProperties().map((property) => property.getFirstParameter("tzid"))
  return [...ownZones, ...component.getAllSubcomponents().flatMap(zonesIn)].filter((tzid) => typeof tzid === "string")
}

interface Tree {
  readonly lines: string[]
  readonly children: Tree[]
}

/** The lines of a file, unfolded. */
const linesOf = (text: string): readonly string[] => text.replace(/\r?\n[ \t]/g, "").split(/\r?\n/)

/**
 * Repairs lines that Nextcloud stores but the library cannot parse: lower-case rules and parameters without a value.
 */
function toReadableLine(line: string): string {
  if (/^(RRULE|EXRULE)[:;]/i.test(line)) return line.toUpperCase()
  return line.replace(/^[^:"]*/, (head) => head.replace(/;([A-Za-z0-9-]+)(?=;|$)/g, ";$1="))
}

/** Arranges the lines of a file in a tree: one node for each component, from BEGIN to END. */
function toTree(text: string): Tree {
  const root: Tree = { lines: [], children: [] }
  const openTrees = [root]
  for (const line of linesOf(text)) {
    const parent = openTrees.at(-1) ?? root
    if (/^BEGIN:/i.test(line)) {
      const child: Tree = { lines: [], children: [] }
      parent.children.push(child)
      openTrees.push(child)
    } else if (/^END:/i.test(line)) openTrees.pop()
    else if (line.trim() !== "") parent.lines.push(line)
  }
  return root.children[0] ?? root
}

function rememberLines(component: Component, tree: Tree, lines: Map<string, string>): void {
  const properties = component.getAllProperties()
  if (properties.length !== tree.lines.length) return
  properties.forEach((property, index) => {
    lines.set(JSON.stringify(property.jCal), tree.lines[index] ?? "")
  })
  component.getAllSubcomponents().forEach((subcomponent, index) => {
    const innerTree = tree.children[index]
    if (innerTree !== undefined) rememberLines(subcomponent, innerTree, lines)
  })
}

function write(component: Component, lines: ReadonlyMap<string, string>): string {
  const name = component.name.toUpperCase()
  const propertyLines = component.getAllProperties().map((property) => {
    const originalLine = lines.get(JSON.stringify(property.jCal))
    return originalLine === undefined ? property.toICALString() : originalLine
  })
  // Time zones come first, because some readers need them before the components that use them.
  const parts = component.getAllSubcomponents().toSorted((a, b) => Number(isZone(b)) - Number(isZone(a)))
  const childTexts = parts.map((part) => write(part, lines))
  return [
    `BEGIN:${name}`,
    ...propertyLines.map(foldLine),
    ...childTexts.map((part) => part.trimEnd()),
    `END:${name}`,
    "",
  ].join("\r\n")
}

const isZone = ({ name }: Component): boolean => name === "vtimezone"

/** Folds a line at 75 octets, never inside a character (RFC 5545 section 3.1). */
function foldLine(line: string): string {
  // Undoes the library's folding. A line break in an unescaped address would start a new property: it becomes a space.
  const unfolded = line.replace(/\r\n /g, "").replace(/[\r\n]+/g, " ")
  if (Buffer.byteLength(unfolded) <= 75) return unfolded
  const parts = [""]
  let size = 0
  for (const character of unfolded) {
    const length = Buffer.byteLength(character)
    if (size + length > 75) {
      parts.push("")
      size = 1
    }
    parts[parts.length - 1] += character
    size += length
  }
  return parts.join("\r\n ")
}

/**
 * One series: the recurring event or task, and its changed occurrences. An event that does not repeat is a series too.
 */
export interface Series {
  readonly document: Document
  /** Undefined when the person was invited to single occurrences only. */
  readonly master: Component | undefined
  readonly overrides: readonly Component[]
}

export function seriesIn(document: Document, kind: "vevent" | "vtodo"): Series | undefined {
  const parts = document.root.getAllSubcomponents(kind)
  if (parts.length === 0) return undefined
  const overrides = parts.filter((part) => part.hasProperty("recurrence-id"))
  return { document, master: parts.find((part) => !part.hasProperty("recurrence-id")), overrides }
}

export function textIn(component: Component, name: string): string | undefined {
  const value = component.getFirstPropertyValue(name)
  return value === null || value === undefined || String(value) === "" ? undefined : String(value)
}

/**
 * Whether the server hid the details of a confidential event: in a shared calendar, older servers send only the times,
 * without DTSTAMP. Writing such a file back would erase the details.
 */
export const isMasked = ({ root }: Document): boolean =>
  root
    .getAllSubcomponents()
    .some((part) => textIn(part, "class")?.toUpperCase() === "CONFIDENTIAL" && !part.hasProperty("dtstamp"))

/** Sets a property, or removes it when the text is empty. */
export function setText(component: Component, name: string, value: string): void {
  if (value === "") component.removeAllProperties(name)
  else component.updatePropertyWithValue(name, value.replace(/\r\n?/g, "\n"))
}

export const copyOf = (component: Component): Component =>
  new ICAL.Component(structuredClone(component.jCal) as unknown[])
