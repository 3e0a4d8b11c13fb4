// The terminal's text around a question: the asker, the deadline, the end. Pure; returns styled pieces of lines.

import type { Elicitation, Form, PrincipalId, Reason, Refusal } from "@holdpoint/hub"
import { displayHost, optionsOf } from "@holdpoint/hub/forms"
import type { FormElicitation, SettledStatus, UrlFlag } from "@holdpoint/hub/internal"
import { checkUrl } from "@holdpoint/hub/internal"
import { fieldOf, labelOf, toPrompt, toWords, type Value } from "./map.ts"
import { plainLines } from "./plain.ts"

export type Style = "strong" | "faint" | "good" | "bad" | "accent"
export type Piece = string | { readonly style: Style; readonly text: string }
export type Line = readonly Piece[]

export function toHeading(question: Elicitation, now: number): readonly Line[] {
  return [
    [],
    [
      { style: "strong", text: `${requesterOf(question)} asks` },
      { style: "faint", text: clientOf(question) },
    ],
    ...plainLines(question.detail?.text ?? question.message).map((line): Line => ["  ", line]),
    [{ style: "faint", text: `  ${deadlineWords(question.expiresAt, now)}` }],
  ]
}

export function deadlineWords(expiresAt: number, now: number): string {
  return `Answer within ${durationWords(expiresAt - now)}, until ${timeWords(expiresAt, now)}.`
}

/** Writes a duration in its two largest units, such as "4 min 58 s", "2 h 5 min" or "3 d". */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  const amounts = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const
  const first = amounts.findIndex(([amount]) => amount > 0)
  if (first === -1) return "0 s"
  const largest = amounts.slice(first, first + 2).filter(([amount]) => amount > 0)
  return largest.map(([amount, unit]) => `${amount} ${unit}`).join(" ")
}

function timeWords(at: number, now: number): string {
  const pad = (part: number): string => String(part).padStart(2, "0")
  const date = new Date(at)
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(":")
  return date.toDateString() === new Date(now).toDateString() ? time : `${day} ${time}`
}

export function toSummary(form: Form, answers: ReadonlyMap<string, Value | undefined>): readonly Line[] {
  const names = Object.keys(form.properties)
  const width = Math.min(28, Math.max(...names.map((name) => labelOf(form, name).length)))
  return [
    [],
    [{ style: "strong", text: "  Your answer" }],
    ...names.map((name): Line => {
      const label = labelOf(form, name).padEnd(width)
      return [{ style: "faint", text: `    ${label}  ` }, toWords(fieldOf(form, name), answers.get(name))]
    }),
  ]
}

/** The whole address with its host highlighted, and warnings. */
export function toAddress(url: string): readonly Line[] {
  const host = displayHost(url)
  const at = url.indexOf(host)
  const urlCheck = checkUrl(url)
  const flags = urlCheck.ok ? urlCheck.flags : []
  return [
    ["  ", url.slice(0, at), { style: "accent", text: host }, url.slice(at + host.length)],
    [
      { style: "faint", text: "  It leads to " },
      { style: "accent", text: host },
    ],
    ...flags.map((flag): Line => [{ style: "bad", text: `  ${cautions[flag]}` }]),
  ]
}

const cautions: Readonly<Record<UrlFlag, string>> = {
  loopback: "This is an address on this machine.",
  "ip-address": "The host is an IP address, not a name: make sure that you know it.",
  punycode: "Careful: the host name contains foreign letters (xn--) that can imitate another name.",
}

/** The whole question and how to answer it, for a terminal without input. */
export function toListing(question: Elicitation, now: number, howToAnswer: string): readonly Line[] {
  return [
    ...toHeading(question, now),
    ...(question.mode === "url" ? toAddress(question.url) : toFieldList(question)),
    ["  To answer: ", { style: "strong", text: howToAnswer }],
    [],
  ]
}

function toFieldList({ requestedSchema: form }: FormElicitation): readonly Line[] {
  return Object.entries(form.properties).flatMap(([name, field]): readonly Line[] => {
    const { label, note, description } = toPrompt(form, name, field.default)
    const optionTitles = optionsOf(field)?.map(({ title }) => title)
    const details = [
      ...(description === undefined ? [] : plainLines(description)),
      ...(optionTitles === undefined
        ? []
        : [`${field.type === "array" ? "any" : "one"} of: ${optionTitles.join(" · ")}`]),
      ...(field.default === undefined ? [] : [`default: ${toWords(field, field.default)}`]),
    ]
    return [
      ["  - ", { style: "strong", text: label }, { style: "faint", text: ` (${note})` }],
      ...details.map((text): Line => [{ style: "faint", text: `      ${text}` }]),
    ]
  })
}

interface End {
  readonly status: SettledStatus
  readonly by?: PrincipalId | undefined
  readonly via?: string | undefined
  readonly reason?: Reason | undefined
}

/** The text about the end of a question that was settled elsewhere. */
export function endedWords({ status, by, via, reason }: End): string {
  const byPerson = by === undefined ? "" : ` by ${by.subject}`
  const otherPlace = `elsewhere${byPerson}${via === undefined ? "" : ` (${via})`}`
  const reasonText = reason?.message === undefined ? "" : `: ${reason.message}`
  switch (status) {
    case "completed":
      return `Answered ${otherPlace}.`
    case "declined":
      return sentence(`Declined ${otherPlace}${reasonText}`)
    case "cancelled":
      return sentence(`Cancelled ${by === undefined ? "by the asker" : otherPlace}${reasonText}`)
    case "expired":
      return "It expired: the time to answer is over."
    case "failed":
      return sentence(`It failed${reasonText}`)
    case "unsupported":
      return sentence(`It could not be shown to any person${reasonText}`)
  }
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`
}

export function refusedWords({ message, problems, ended }: Refusal): readonly string[] {
  if (problems !== undefined && problems.length > 0) return problems.map((problem) => problem.message)
  return ended === undefined ? [message] : [message, endedWords(ended)]
}

function requesterOf({ requester: { id, name } }: Elicitation): string {
  return name === undefined || name === id ? id : `${name} (${id})`
}

function clientOf({ client }: Elicitation): string {
  return client === undefined ? "" : `, through ${[client.name, client.version].filter(Boolean).join(" ")}`
}
