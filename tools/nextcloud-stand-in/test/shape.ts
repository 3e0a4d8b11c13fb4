// Compares the shape of a response with the recorded one, and learns from it: JSON needs the same members of the same
// types, XML the same elements in each item, and significant headers must be present.

import { type Element, parseXml } from "../src/xml.ts"
import type { Dictionary } from "./dictionary.ts"

export interface Answer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: string
}

/** The first difference between two responses; undefined when they match. */
export type Problem = string | undefined

/** Headers that must be present where they were recorded. */
const telling =
  "location etag oc-etag oc-fileid x-oc-mtime www-authenticate dav allow last-modified link retry-after lock-token x-user-id content-range content-disposition x-notes-chunk-cursor x-notes-chunk-pending x-notes-api-versions x-nextcloud-maintenance-mode access-control-allow-origin".split(
    " ",
  )
/** Headers that must be absent where they were not recorded. */
const tellingByAbsence = ["location", "etag", "www-authenticate", "retry-after", "x-user-id"]
/** Elements and members that contain ids. */
const naming = new Set(["location", "etag", "oc-etag", "oc-fileid", "link", "lock-token", "x-notes-chunk-cursor"])
const namingElements = new Set(
  "href getetag getctag sync-token id fileid token owner-id version-author trashbin-filename".split(" "),
)
/** Members whose text is compared too. */
const exact = new Set(["statuscode", "error", "exception", "errorType", "status", "message"])

export function compare(recorded: Answer, replayed: Answer, dictionary: Dictionary): Problem {
  if (recorded.status !== replayed.status) return `status ${replayed.status} instead of ${recorded.status}`
  for (const name of telling) {
    const [was, is] = [recorded.header(name), replayed.header(name)]
    if (was !== undefined && is === undefined) return `the header ${name} is missing`
    if (was === undefined && is !== undefined && tellingByAbsence.includes(name)) return `the header ${name} is new`
    if (was !== undefined && is !== undefined && naming.has(name)) dictionary.learn(was, is)
  }
  const [type, other] = [typeOf(recorded), typeOf(replayed)]
  if (type !== undefined && type !== other) return `content of type ${other} instead of ${type}`
  if (recorded.body === "" || type === undefined) return undefined
  if (type === "application/json") return compareJson(JSON.parse(recorded.body), parsed(replayed.body), "$", dictionary)
  const element = type.endsWith("xml") ? xmlOf(recorded.body) : undefined
  if (element !== undefined) return compareXml(element, xmlOf(replayed.body), dictionary)
  return undefined
}

/** Undefined if one candidate matches, and nothing is learned from the others; otherwise the problem of the first. */
function ofAll<T>(candidates: readonly T[], compareTo: (candidate: T) => Problem): Problem {
  const [first, ...rest] = candidates
  if (first === undefined) return "no recorded item is similar"
  const problem = compareTo(first)
  return problem === undefined || rest.some((one) => compareTo(one) === undefined) ? undefined : problem
}

const typeOf = (answer: Answer): string | undefined => answer.header("content-type")?.split(";")[0]?.trim()

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function xmlOf(body: string): Element | undefined {
  try {
    return parseXml(body)
  } catch {
    return undefined
  }
}

export function compareJson(recorded: unknown, replayed: unknown, at: string, dictionary: Dictionary): Problem {
  const [was, is] = [kind(recorded), kind(replayed)]
  if (was !== is) return `${at} is ${is} instead of ${was}`
  if (Array.isArray(recorded) && Array.isArray(replayed)) return compareLists(recorded, replayed, at, dictionary)
  if (typeof recorded === "object" && recorded !== null)
    return compareMembers(recorded, replayed as object, at, dictionary)
  const name = at.slice(at.lastIndexOf(".") + 1)
  const expected = typeof recorded === "string" ? dictionary.toText(recorded) : recorded
  if (exact.has(name) && expected !== replayed) return `${at} is ${String(replayed)} instead of ${String(recorded)}`
  if (/id$|source$|etag$|token$|cursor$|password$|url$|login$|endpoint$|secret$/i.test(name))
    dictionary.learn(String(recorded), String(replayed))
  return undefined
}

function compareMembers(recorded: object, replayed: object, at: string, dictionary: Dictionary): Problem {
  const keys = Object.keys(recorded)
  // An object whose keys are ids or people's names is compared as a list.
  const translated = keys.map((key) => dictionary.toText(key))
  const missing = translated.filter((key) => !(key in replayed))
  if (missing.length > 0 && !keys.every((key) => /^\d+$/.test(key))) return `${at} lacks ${missing.join(", ")}`
  const added = Object.keys(replayed).filter((key) => !translated.includes(key))
  if (added.length > 0 && missing.length === 0) return `${at} has ${added.join(", ")} in addition`
  const values = replayed as Readonly<Record<string, unknown>>
  for (const [index, [, value]] of Object.entries(recorded).entries()) {
    const key = translated[index] ?? ""
    const problem = key in replayed ? compareJson(value, values[key], `${at}.${key}`, dictionary) : undefined
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Each item must match a recorded one. The number may differ, but an empty list must be empty. */
function compareLists(
  recorded: readonly unknown[],
  given: readonly unknown[],
  at: string,
  dictionary: Dictionary,
): Problem {
  if ((recorded.length === 0) !== (given.length === 0))
    return `${at} has ${given.length} items instead of ${recorded.length}`
  for (const [index, item] of given.entries()) {
    const same = recorded[index]
    const others = same === undefined ? recorded : [same, ...recorded]
    const problem = ofAll(others, (one) => compareJson(one, item, `${at}[${index}]`, dictionary))
    if (problem !== undefined) return problem
  }
  return undefined
}

function kind(value: unknown): string {
  if (value === null) return "null"
  return Array.isArray(value) ? "list" : typeof value
}

function compareXml(recorded: Element, replayed: Element | undefined, dictionary: Dictionary): Problem {
  if (replayed === undefined) return "it is not XML"
  if (recorded.name !== "multistatus") return compareElements(recorded, replayed, recorded.name, dictionary)
  const items = recorded.children.filter(({ name }) => name === "response")
  const others = replayed.children.filter(({ name }) => name === "response")
  if ((items.length === 0) !== (others.length === 0)) return `${others.length} responses instead of ${items.length}`
  for (const [index, item] of others.entries()) {
    const href = hrefOf(item)
    const same = items.find((one) => dictionary.toAddress(hrefOf(one)) === href)
    const candidates = same === undefined ? [items[index], ...items].filter((one) => one !== undefined) : [same]
    const problem = ofAll(candidates, (one) => compareElements(one, item, "response", dictionary))
    if (problem !== undefined) return `${problem}, of ${href.split("/").slice(-2).join("/")}`
  }
  const withoutItems = (element: Element) => ({
    ...element,
    children: element.children.filter(({ name }) => name !== "response"),
  })
  return compareElements(withoutItems(recorded), withoutItems(replayed), "multistatus", dictionary)
}

const hrefOf = (item: Element): string => item.children.find(({ name }) => name === "href")?.text ?? ""

/** Compares names and nesting in any order; repeated elements count once. */
function compareElements(recorded: Element, replayed: Element, at: string, dictionary: Dictionary): Problem {
  if (exact.has(recorded.name) && dictionary.toText(recorded.text) !== replayed.text)
    return `${at} is "${replayed.text}" instead of "${recorded.text}"`
  if (recorded.children.length === 0 && namingElements.has(recorded.name))
    dictionary.learn(recorded.text.trim(), replayed.text.trim())
  const [was, is] = [namesOf(recorded), namesOf(replayed)]
  const missing = was.filter((name) => !is.includes(name))
  const added = is.filter((name) => !was.includes(name))
  if (missing.length > 0) return `${at} lacks ${missing.join(", ")}`
  if (added.length > 0) return `${at} has ${added.join(", ")} in addition`
  const byStatus = (element: Element) => element.children.map((child) => ({ child, key: keyOf(child) }))
  const others = byStatus(replayed)
  for (const { child, key } of byStatus(recorded)) {
    const same = others.filter((other) => other.key === key)
    if (same.length === 0) return `${at} lacks ${key}`
    const problem = ofAll(same, (other) => compareElements(child, other.child, `${at}/${child.name}`, dictionary))
    if (problem !== undefined) return problem
  }
  return undefined
}

const namesOf = (element: Element): readonly string[] => [
  ...new Set(element.children.map(({ space, name }) => `${space} ${name}`)),
]

/** Distinguishes found and missing properties by their status. */
function keyOf(element: Element): string {
  const status = element.name === "propstat" ? element.children.find(({ name }) => name === "status")?.text : ""
  return `${element.space} ${element.name} ${status ?? ""}`
}
