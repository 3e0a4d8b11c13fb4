// Renders a tool's result: lists as tables, images as images, and everything as JSON.

import type { CallToolResult } from "@modelcontextprotocol/client"
import { type Child, h, linked } from "./dom.ts"
import { isObject } from "./json.ts"

type Members = Readonly<Record<string, unknown>>

export function resultView({ content, structuredContent }: CallToolResult): readonly HTMLElement[] {
  const structured = structuredContent as Members | undefined
  const blocks = content.flatMap((block) => {
    if (block.type === "text") return structured === undefined ? [h("p", { class: "text" }, ...linked(block.text))] : []
    if (block.type === "image") return [picture(block.mimeType, block.data)]
    return [json(block)]
  })
  return structured === undefined ? blocks : [...blocks, ...structuredView(structured)]
}

/**
 * Finds a link to a page of this server on a separate line, which the server sends to clients without elicitation.
 * Structured results are skipped, because their URLs are user data.
 */
export function linkIn({ content, structuredContent }: CallToolResult): string | undefined {
  if (structuredContent !== undefined) return undefined
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n")
  const addresses = [...text.matchAll(/^ +(https?:\/\/\S+)$/gm)].map(([, address = ""]) => address)
  return addresses.find((address) => {
    const { origin, pathname } = URL.parse(address) ?? {}
    return origin === location.origin && /^\/(?:connect|inbox|visit)\//.test(pathname ?? "")
  })
}

const picture = (type: string, data: string): HTMLElement =>
  h("img", { src: `data:${type};base64,${data}`, alt: "The picture that the tool returned", class: "picture" })

function structuredView(structured: Members): readonly HTMLElement[] {
  const lists = Object.entries(structured).filter(
    (entry): entry is [string, readonly Members[]] =>
      Array.isArray(entry[1]) && entry[1].length > 0 && entry[1].every(isObject),
  )
  const otherMembers = Object.entries(structured).filter(([, value]) => !isObject(value) && !isList(value))
  return [
    ...lists.map(([name, rows]) => table(name, rows)),
    ...(otherMembers.length === 0 ? [] : [facts(otherMembers)]),
    h("details", {}, h("summary", {}, "As JSON"), json(structured)),
  ]
}

const isList = (value: unknown): boolean => Array.isArray(value) && value.some(isObject)

const maxColumns = 5

function table(name: string, rows: readonly Members[]): HTMLElement {
  const columns = [...new Set(rows.flatMap(Object.keys))]
    .filter((column) => rows.every((row) => !isObject(row[column]) && !isList(row[column])))
    .slice(0, maxColumns)
  const head = h("tr", {}, ...columns.map((column) => h("th", { scope: "col" }, column)))
  const lines = rows.map((row) => h("tr", {}, ...columns.map((column) => cell(row[column]))))
  const caption = h("caption", {}, `${name} (${rows.length})`)
  return h(
    "div",
    { class: "table", tabindex: 0, role: "region", "aria-label": name },
    h("table", {}, caption, h("thead", {}, head), h("tbody", {}, ...lines)),
  )
}

const cell = (value: unknown): HTMLElement =>
  h("td", { class: timePattern.test(String(value)) ? "time" : undefined }, words(value))

function facts(entries: readonly (readonly [string, unknown])[]): HTMLElement {
  const rows = entries.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, ...fact(name, words(value)))))
  return h("dl", { class: "facts" }, ...rows)
}

/** Texts longer than this are shown in a scrollable box. */
const maxInlineLength = 400

const fact = (name: string, text: string): readonly Child[] =>
  text.length <= maxInlineLength
    ? linked(text)
    : [h("div", { class: "long", tabindex: 0, role: "region", "aria-label": name }, ...linked(text))]

/** Matches a time. Tables show it without seconds and zone; the JSON below the tables contains both. */
const timePattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*$/

function words(value: unknown): string {
  if (value === undefined || value === null || value === "") return "–"
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "string" && timePattern.test(value)) return value.replace(timePattern, "$1\u00a0$2")
  return Array.isArray(value) ? value.map(words).join(", ") : String(value)
}

const json = (value: unknown): HTMLElement => h("pre", { tabindex: 0 }, JSON.stringify(value, null, 2))
