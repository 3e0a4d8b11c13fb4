// The terminal outlet, driven key by key through the real prompts.

import { choice, choices, date, dateTime, email, form, integer, number, text, uri, yesNo } from "@holdpoint/hub"
import { withDefaults } from "@holdpoint/hub/forms"
import { alice, bob, type FakeTerminal, keys, openTerminal } from "@holdpoint/testkit/terminal/fake-terminal"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { toPrompt } from "../src/map.ts"
import { toPlainText } from "../src/plain.ts"
import { deadlineWords, durationWords, toAddress } from "../src/words.ts"

const { enter, down, up, space, backspace, esc, ctrlC } = keys

let terminal: FakeTerminal

beforeEach(() => {
  terminal = openTerminal()
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await terminal.hub.close()
})

test("shows who asks, through what, the message and the deadline", async () => {
  const { hub, ask, reads, at } = terminal
  const asked = await ask(form({ ok: yesNo() }), {
    message: "Release it?\nAll tests are green.",
    client: { name: "some-client", version: "2.1" },
    lifetimeMs: 298_000,
  })
  await reads("Release bot (bot) asks, through some-client 2.1")
  await reads("  Release it?\n  All tests are green.")
  await reads("Answer within 4 min 58 s, until ")
  await at("Your answer?", ctrlC)
  await hub.wait(asked)
})

verifies("terminal.asks-every-kind", "asks for text and its formats, and says in place what is wrong", async () => {
  const { hub, ask, at } = terminal
  const asked = await ask(
    form({
      note: text({ title: "Note", description: "In one sentence.", minLength: 3, maxLength: 20 }),
      mail: email(),
      page: uri(),
      day: date(),
      moment: dateTime(),
    }),
  )
  await at("In one sentence.")
  await at("Note (required, 3 to 20 characters)", "ab", enter)
  await at("Note must have at least 3 characters.", "c", enter)
  await at("mail (required, an email address)", "alice", enter)
  await at("mail must be an email address", "@example.com", enter)
  await at("page (required, an address like", "https://example.com/", enter)
  await at("day (required, a date as YYYY-MM-DD)", "2026-02-30", enter)
  await at("day must be a real date", backspace, backspace, "28", enter)
  await at("moment (required, a date and time like", "2026-01-31T09:30:00Z", enter)
  await at("Send this?", enter)
  expect(await hub.wait(asked)).toEqual({
    status: "completed",
    content: {
      note: "abc",
      mail: "alice@example.com",
      page: "https://example.com/",
      day: "2026-02-28",
      moment: "2026-01-31T09:30:00Z",
    },
  })
})

verifies("terminal.asks-every-kind", "asks for numbers, and accepts none that the hub would refuse", async () => {
  const { hub, ask, at } = terminal
  const asked = await ask(form({ share: number({ minimum: 0, maximum: 1 }), count: integer({ minimum: 1 }) }))
  await at("share (required, a number, 0 to 1)", "lots", enter)
  await at("share must be a number.", ...Array(4).fill(backspace), "7", enter)
  await at("share must be at most 1.", backspace, ".5", enter)
  await at("count (required, a whole number, at least 1)", "2.5", enter)
  await at("count must be a whole number.", backspace, backspace, enter)
  await at("Send this?", enter)
  expect(await hub.wait(asked)).toMatchObject({ content: { share: 0.5, count: 2 } })
})

verifies(
  "terminal.asks-every-kind",
  "takes Enter as the answer to a yes-or-no question only if the question has a default",
  async () => {
    const { hub, ask, at } = terminal
    const asked = await ask(form({ sure: yesNo(), notify: yesNo({ default: false }), loud: yesNo({ default: false }) }))
    await at("sure (required, yes or no)", enter)
    await at("sure is missing; please fill it in.", "maybe", enter)
    await at("sure must be yes or no", ...Array(5).fill(backspace), "y", enter)
    await at("notify (required, yes or no)", enter)
    await at("loud (required, yes or no)", "y", enter)
    await at("Send this?", enter)
    expect(await hub.wait(asked)).toMatchObject({ content: { sure: true, notify: false, loud: true } })
  },
)

verifies("terminal.asks-every-kind", "offers choices by their titles, whichever way they are written", async () => {
  const { hub, ask, at } = terminal
  const legacy = { type: "string", enum: ["s", "m"], enumNames: ["Small", "Medium"] } as const
  const asked = await ask(
    form({
      plan: choice(["free", "pro"]),
      place: choice({ eu: "Europe", us: "America" }, { default: "us" }),
      size: legacy,
    }),
  )
  await at("pro\n", down, enter)
  await at("❯ America", up, enter)
  await at("Medium\n", down, enter)
  await at("Send this?", enter)
  expect(await hub.wait(asked)).toMatchObject({ content: { plan: "pro", place: "eu", size: "m" } })
})

verifies("terminal.asks-every-kind", "lets the person tick several choices, within the limits", async () => {
  const { hub, ask, at } = terminal
  const kinds = { fix: "Bug fix", feature: "Feature", security: "Security" }
  const asked = await ask(form({ kinds: choices(kinds, { minItems: 1, maxItems: 2, default: ["fix"] }) }))
  await at("[x] Bug fix", down, space, down, space, enter)
  await at("kinds must have at most 2 choices.", space, enter)
  await at("Send this?", enter)
  expect(await hub.wait(asked)).toMatchObject({ content: { kinds: ["fix", "feature"] } })
})

test("lets every kind of optional field be left out", async () => {
  const { hub, ask, at } = terminal
  const fields = { a: text(), b: integer(), c: yesNo(), d: choice(["x", "y"]), e: choices(["x", "y"], { minItems: 1 }) }
  const asked = await ask(form(fields, { optional: ["a", "b", "c", "d", "e"] }))
  await at("a (optional)", enter)
  await at("b (optional, a whole number)", enter)
  await at("❯ (leave out)", enter)
  await at("d (optional)\n❯ (leave out)", enter)
  await at("e (optional, choose at least 1, none leaves it out)", enter)
  await at("Send this?", enter)
  expect(await hub.wait(asked)).toEqual({ status: "completed", content: {} })
})

test("prefills defaults, shows a summary, and changes what the person wants changed", async () => {
  const { hub, ask, at, reads } = terminal
  const asked = await ask(
    form({ who: text({ default: "Ada" }), lines: text({ default: "one\ntwo" }), much: integer({ default: 3 }) }),
  )
  await at("who (required) Ada", " L.", enter)
  await at("one↵two", enter)
  await at("much (required, a whole number) 3", enter)
  await reads("who    Ada L.")
  await reads("lines  one↵two")
  await at("Send this?", down, enter)
  await at("Change what?", enter)
  await at("who (required) Ada L.", "!", enter)
  await at("Send this?", enter)
  expect(await hub.wait(asked)).toMatchObject({ content: { who: "Ada L.!", lines: "one\ntwo", much: 3 } })
})

verifies("terminal.declines-and-cancels", "declines and cancels from the last menu", async () => {
  const { hub, ask, at } = terminal
  const declined = await ask(form({ note: text({ default: "x" }) }))
  await at("note (required)", enter)
  await at("Send this?", down, down, enter)
  await at("Declined.")
  expect(await hub.wait(declined)).toEqual({ status: "declined" })
  const cancelled = await ask(form({}))
  await at("Your answer?", esc)
  await at("Leave this question?", down, enter)
  await at("Cancelled.")
  expect(await hub.wait(cancelled)).toEqual({ status: "cancelled" })
})

test("offers to leave on Esc, and continues where it was", async () => {
  const { hub, ask, at } = terminal
  const asked = await ask(form({ ok: yesNo(), note: text() }))
  await at("ok (required", esc)
  await at("Leave this question?", enter)
  await at("ok (required", "y", enter)
  await at("note (required", esc)
  await at("Leave this question?", down, enter)
  expect(await hub.wait(asked)).toEqual({ status: "declined" })
})

verifies("terminal.declines-and-cancels", "cancels the question, not the program, on Ctrl-C", async () => {
  const { hub, ask, at } = terminal
  const asked = await ask(form({ note: text() }))
  await at("note (required", "half a sen", ctrlC)
  await at("Cancelled.")
  expect(await hub.wait(asked)).toEqual({ status: "cancelled" })
  expect((await hub.get(asked.id))?.answeredVia).toBe("terminal")
})

verifies("terminal.withdraws", "removes a question that is answered elsewhere, and asks the next", async () => {
  const { hub, ask, at, reads } = terminal
  const both = { kind: "any", principals: [alice, bob] } as const
  const first = await ask(form({ note: text() }), { audience: both, message: "The first" })
  const second = await ask(form({ count: integer() }), { message: "The second" })
  await at("note (required", "half a sen")
  await hub.answer(first.id, { by: bob, action: "accept", content: { note: "done" }, via: "web" })
  await reads("Answered elsewhere by bob (web).")
  await reads("The second")
  await at("count (required", "4", enter)
  await at("Send this?", enter)
  expect(await hub.wait(second)).toMatchObject({ content: { count: 4 } })
})

test("never shows a queued question that was taken back before its turn", async () => {
  const { hub, ask, at } = terminal
  const first = await ask(form({ note: text() }), { message: "The first" })
  const second = await ask(form({}), { message: "The second" })
  await at("note (required")
  await hub.cancel(second.id)
  await hub.cancel(first.id)
  await at("Cancelled by the asker.")
  const third = await ask(form({}), { message: "The third" })
  await at("The third")
  await at("Your answer?", down, enter)
  await hub.wait(third)
  expect(terminal.text()).not.toContain("The second")
})

verifies(
  "terminal.withdraws",
  "takes the prompt away when the hub closes, and says that the question stays open",
  async () => {
    const { hub, ask, at } = openTerminal()
    await ask(form({ note: text() }))
    await at("note (required")
    await hub.close()
    await at("the question stays open.")
  },
)

test("says how it ended when an answer comes too late to count", async () => {
  const { hub, ask, at, text } = openTerminal({
    through: (real) => ({
      async answer(id, given) {
        await real.answer(id, { by: bob, action: "decline" })
        return real.answer(id, given)
      },
    }),
  })
  await ask(form({}), { audience: { kind: "any", principals: [alice, bob] } })
  await at("Your answer?", down, enter)
  await at("Declined elsewhere by bob.")
  expect(text()).not.toContain("Sent.")
  await hub.close()
})

test("shows the problems that the hub finds, and lets the person correct them", async () => {
  let garbled = true
  const { hub, ask, at } = openTerminal({
    through: (real) => ({
      answer(id, given) {
        const content = garbled ? {} : given.content
        garbled = false
        return real.answer(id, { ...given, content })
      },
    }),
  })
  const asked = await ask(form({ much: integer({ default: 3 }) }))
  await at("much (required", enter)
  await at("Send this?", enter)
  await at("much is missing; please fill it in.")
  await at("Send this?", down, enter)
  await at("much (required", "4", enter)
  await at("Send this?", enter)
  expect(await hub.wait(asked)).toMatchObject({ content: { much: 34 } })
  await hub.close()
})

test("leaves the question open when the input ends, and says where to answer", async () => {
  const { hub, ask, at } = terminal
  const asked = await ask(form({ note: text() }))
  await at("note (required")
  terminal.input.end()
  await at(`the question stays open. To answer: npx holdpoint answer ${asked.id}`)
  expect((await hub.get(asked.id))?.status).toBe("pending")
})

test("shows a link with its host and asks before it counts as agreed", async () => {
  const { hub, askToVisit, at, reads } = terminal
  const asked = await askToVisit("https://example.com/connect/1")
  await reads("https://example.com/connect/1")
  await reads("It leads to example.com")
  await at("Open it?", down, enter)
  await reads("Open this address in your browser: https://example.com/connect/1")
  expect((await hub.get(asked.id))?.status).toBe("accepted")
  const declined = await askToVisit("https://xn--pple-43d.com/")
  await reads("Careful: the host name contains foreign letters")
  await at("Open it?", down, down, enter)
  expect(await hub.wait(declined)).toEqual({ status: "declined" })
})

verifies(
  "terminal.prints-without-terminal",
  "prints the question and how to answer it where no person can type",
  async () => {
    const piped = openTerminal({ isTTY: false })
    const asked = await piped.ask(
      form({ plan: choice({ a: "Plan A", b: "Plan B" }, { default: "a", description: "Which one?" }) }),
    )
    await piped.hub.close()
    expect(piped.text()).toContain("Release bot (bot) asks")
    expect(piped.text()).toContain(
      "  - plan (required)\n      Which one?\n      one of: Plan A · Plan B\n      default: Plan A\n",
    )
    expect(piped.text()).toContain(`To answer: npx holdpoint answer ${asked.id}`)
    expect(piped.raw()).not.toContain("\x1b")
  },
)

test("prints the question on a terminal that cannot move its cursor", async () => {
  vi.stubEnv("TERM", "dumb")
  const { ask, hub, text: written } = openTerminal()
  const { id } = await ask(form({}))
  await hub.close()
  expect(written()).toContain(`To answer: npx holdpoint answer ${id}`)
})

test("is unable to show a question for another person", async () => {
  const { hub, ask } = terminal
  const outcome = await hub.wait(await ask(form({}), { audience: bob }))
  expect(outcome).toEqual({
    status: "unsupported",
    reason: { code: "no_outlet", message: "terminal: it is not for alice" },
  })
})

verifies(
  "terminal.text-cannot-forge",
  "lets no control character and no change of reading direction through",
  async () => {
    const evil = "\x9b31m\u202egnp.exe\u2066"
    const { hub, showUnchecked, at, raw } = terminal
    const fields = form({
      a: text({ title: `A${evil}`, description: `B\x1b]52;c;aGk=\x07${evil}`, default: `C\x1b[2J${evil}\rD` }),
      b: choices({ one: `E\x1b[8m${evil}` }, { default: ["one"] }),
      c: choice({ one: `F\x1b[8m${evil}` }, { title: `\x1b[1A${evil}` }),
    })
    const asked = await showUnchecked(fields, { message: `Well${evil}`, requester: { id: "bot", name: `Bot${evil}` } })
    await at("A\ufffd31m", enter)
    await at("[x] E\ufffd[8m", enter)
    await at("❯ F\ufffd[8m", enter)
    await at("Send this?", enter)
    expect(await hub.wait(asked)).toMatchObject({ content: { ...withDefaults(fields), c: "one" } })
    for (const bytes of ["\x9b", "\u202e", "\u2066", "\x1b]", "\x1b[8m", "\x1b[2J", "\x07"]) {
      expect(raw()).not.toContain(bytes)
    }
  },
)

test.each([
  ["colours a terminal", "", true],
  ["does not colour when NO_COLOR is set", "1", false],
])("%s", async (_claim, noColor, isColoured) => {
  vi.stubEnv("NO_COLOR", noColor)
  const { hub, ask, at, raw } = openTerminal()
  const asked = await ask(form({ kinds: choices(["a"], { default: ["a"] }) }))
  await at("[x] a", enter)
  await at("Send this?", enter)
  await hub.wait(asked)
  await hub.close()
  const colours = ["\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[36m"].filter((colour) => raw().includes(colour))
  expect(colours).toHaveLength(isColoured ? 4 : 0)
})

test("says times in plain words", () => {
  const noon = new Date(2026, 0, 1, 12, 0, 0).getTime()
  expect(deadlineWords(noon + 298_000, noon)).toBe("Answer within 4 min 58 s, until 12:04:58.")
  expect(deadlineWords(noon + 90_000_000, noon)).toBe("Answer within 1 d 1 h, until 2026-01-02 13:00:00.")
  expect([0, 59_600, 3_600_000, 3_601_000].map(durationWords)).toEqual(["0 s", "1 min", "1 h", "1 h"])
})

test("maps fields and links to plain data", () => {
  const address = toAddress("https://example.com:8443/a")
  expect(address[0]).toEqual(["  ", "https://", { style: "accent", text: "example.com:8443" }, "/a"])
  const optional = form({ plan: choice(["a", "b"]) }, { optional: ["plan"] })
  expect(JSON.parse(JSON.stringify(toPrompt(optional, "plan", "b")))).toEqual({
    label: "plan",
    note: "optional",
    control: {
      type: "one",
      options: [{ title: "(leave out)" }, { title: "a", value: "a" }, { title: "b", value: "b" }],
      initial: 2,
    },
  })
  expect(toPlainText("a\r\nb\tc\u0000\ud800")).toBe("a↵b c\ufffd\ufffd")
})
