// Text from others is shown as text, on every page and in every place on it.

import type { Form } from "@holdpoint/hub"
import { choice, choices, dateTime, email, form, integer, number, text, uri, yesNo } from "@holdpoint/hub"
import type { Field } from "@holdpoint/hub/forms"
import { now, samples } from "@holdpoint/testkit/server/web/samples"
import { describe, expect, it } from "vitest"
import { toHref } from "../../src/web/html.ts"
import { questionPage } from "../../src/web/index.ts"

const hostile = `x"'></title></textarea><script>alert(1)</script><img src=x onerror=alert(1)> \${1} {{1}} &quot; and longer`
const harmless = `x${"y".repeat(hostile.length - 1)}`
const escaped = hostile
  .replaceAll("&", "&amp;")
  .replaceAll("<", "&lt;")
  .replaceAll(">", "&gt;")
  .replaceAll('"', "&quot;")
  .replaceAll("'", "&#39;")

/** What decides how a page looks is not text that others write. */
const kept = new Set([
  "kind",
  "status",
  "mode",
  "type",
  "format",
  "field",
  "state",
  "asker",
  "answer",
  "outcome",
  "step",
])

function withEveryText(view: unknown, words: string, key = ""): unknown {
  if (typeof view === "string") return kept.has(key) ? view : words
  if (Array.isArray(view)) return view.map((one) => withEveryText(one, words))
  if (typeof view !== "object" || view === null) return view
  const entries = Object.entries(view).map(([name, value]) => [name, withEveryText(value, words, name)])
  return Object.fromEntries(entries)
}

describe("every page", () => {
  it.each(Object.entries(samples))("shows hostile text as text: %s", async (_name, { view, render }) => {
    const page = String(await render(withEveryText(view, hostile)))
    const tame = String(await render(withEveryText(view, harmless)))
    expect(page).not.toContain("<script>")
    expect(page).not.toContain("<img src=x")
    expect(page.replaceAll(escaped, harmless)).toBe(tame)
  })

  it.each(Object.entries(samples))("has no inline script, style or handler: %s", async (_name, { render }) => {
    const page = String(await render())
    expect(page.match(/<script\b[^>]*>/g)).toEqual(['<script type="module" src="/assets/holdpoint.js">'])
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|\ssrc="(?!\/assets\/)|<link[^>]*href="(?!\/assets\/)/)
  })

  it.each(Object.entries(samples))("leads nowhere when an address would run a script: %s", async (_name, sample) => {
    for (const address of [
      "javascript:alert(1)",
      "data:text/html,x",
      "//evil.example",
      "\\\\evil.example",
      "vbscript:x",
    ]) {
      const page = String(await sample.render(withEveryText(sample.view, address)))
      const targets = [...page.matchAll(/\s(?:href|action|formaction|data-status-url|data-events)="([^"]*)"/g)]
      const leading = targets.map(([, target]) => target!).filter((target) => !/^(?:\/(?!\/)|#)/.test(target))
      expect(leading).toEqual([])
    }
  })
})

describe("toHref", () => {
  it.each(["/inbox", "/connect/a?b=c#d", "https://example.com/", "http://localhost:3000/"])("keeps %s", (address) => {
    expect(toHref(address)).toBe(address)
  })

  it.each(["javascript:alert(1)", " javascript:alert(1)", "//evil.example", "/\\evil.example", "inbox", ""])(
    "turns %j into nothing",
    (address) => {
      expect(toHref(address)).toBe("#")
    },
  )
})

describe("every field", () => {
  const labels = { title: hostile, description: hostile }
  it.each<[string, Field]>([
    ["text", text({ ...labels, default: hostile })],
    ["long text", text({ ...labels, maxLength: 900, default: hostile })],
    ["email", email({ ...labels, default: hostile })],
    ["uri", uri({ ...labels, default: hostile })],
    ["date-time", dateTime({ ...labels, default: hostile })],
    ["number", number(labels)],
    ["integer", integer(labels)],
    ["yes or no", yesNo(labels)],
    ["few options", choice({ [hostile]: hostile }, labels)],
    ["many options", choice(["a", "b", "c", "d", "e", hostile], labels)],
    ["several options", choices({ [hostile]: hostile }, labels)],
  ])("shows hostile text as text: %s", async (_what, field) => {
    const page = await render(form({ [hostile]: field }), { [hostile]: hostile })
    expect(page).toContain(escaped)
    expect(page.replaceAll(escaped, "")).not.toMatch(/<script>|<img src=x|onerror/)
  })

  it("shows a long text exactly, and the text cannot end its field", async () => {
    const page = await render(form({ it: text({ maxLength: 900 }) }), { it: "\n</textarea><b>" })
    expect(page).toContain(">\n\n&lt;/textarea&gt;&lt;b&gt;</textarea>")
  })
})

async function render(requestedSchema: Form, values?: Record<string, unknown>): Promise<string> {
  const question = { id: "1", mode: "form" as const, status: "pending" as const, message: "?", requester: { id: "r" } }
  const elicitation = { ...question, requestedSchema, createdAt: now, expiresAt: now }
  return String(
    await questionPage({ now, signedInAs: "a", csrf: "c", action: "/a", elicitation, ...(values && { values }) }),
  )
}
