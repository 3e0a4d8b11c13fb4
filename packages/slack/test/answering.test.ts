// Questions in Slack from the message to the answer, as the people who press and fill in see them.

import type { Content, Form } from "@holdpoint/hub"
import {
  choice,
  choices,
  createAddresses,
  date,
  dateTime,
  email,
  form,
  integer,
  number,
  text,
  uri,
  yesNo,
} from "@holdpoint/hub"
import { confirmForm } from "@holdpoint/hub/forms"
import { visitDraft } from "@holdpoint/server/http"
import type { Message } from "@holdpoint/slack-stand-in"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { FormDraft } from "../../hub/src/core/question.ts"
import { alice, aliceInSlack, bob, bobInSlack, openSlackWorld, type SlackNode, type SlackWorld } from "./world.ts"

const requester = { id: "deployer", name: "Deployer" }
const lifetimeMs = 3_600_000

async function openLinked(options: Parameters<typeof openSlackWorld>[0] = {}) {
  const world = await openSlackWorld(options)
  const node = await world.addNode()
  await world.link(node, aliceInSlack, alice)
  await world.link(node, bobInSlack, bob)
  return { world, node }
}

type Asking = Partial<Pick<FormDraft<Content>, "message" | "audience" | "form">>

const ask = (node: SlackNode, { message = "Delete the note?", audience = alice, ...more }: Asking = {}) =>
  node.hub.ask({ message, audience, requester, lifetimeMs, form: more.form ?? confirmForm({}, message) })

/** The newest message with buttons that this person sees. */
const newestMessage = (world: SlackWorld, user = "U0ALICE"): Promise<Message> =>
  world.slack.until(() => world.slack.as(user).sees().findLast(hasButtons))

const hasButtons = ({ blocks = [] }: Message): boolean => blocks.some(({ type }) => type === "actions")
const labels = ({ blocks = [] }: Message): readonly unknown[] =>
  blocks
    .flatMap((block) => (block.type === "actions" ? (block.elements as { text: { text: string } }[]) : []))
    .map((one) => one.text.text)
/** Slack makes no link of the host, because an invisible character is in it. */
const openSign = "Open sign\u2060.example"
const all = (message: Message): string => JSON.stringify(message.blocks ?? [])
const press = (world: SlackWorld, { channel, ts }: Message, button: string, user = "U0ALICE") =>
  world.slack.as(user).press({ channel, ts, button })
const ended = (world: SlackWorld, { ts }: Message, user = "U0ALICE"): Promise<Message> =>
  world.slack.until(() =>
    world.slack
      .as(user)
      .sees()
      .find((one) => one.ts === ts && !hasButtons(one)),
  )
const whispers = (world: SlackWorld, user: string, channel?: string) =>
  world.slack
    .as(user)
    .sees(channel === undefined ? {} : { channel })
    .filter(({ onlyFor }) => onlyFor === user)

describe("a yes-or-no question in Slack", () => {
  verifies("slack.answered-by-a-press", "has buttons that name its acts, and is answered by one press", async () => {
    const { world, node } = await openLinked()
    const asked = await ask(node)
    const message = await newestMessage(world)
    expect(labels(message)).toEqual(["Delete", "Do not delete", "Do not delete, because…"])
    expect(all(message)).toContain("Deployer asks")
    expect(all(message)).toContain("Delete the note?")
    expect(await press(world, message, "holdpoint_yes")).toMatchObject({ kind: "acknowledged" })
    expect(await node.hub.wait(asked)).toEqual({ status: "completed", content: { confirmed: "yes" } })
    const after = await ended(world, message)
    expect(all(after)).toContain("Answered by <@U0ALICE>:")
    expect(whispers(world, "U0ALICE")).toEqual([])
    expect(world.problems).toEqual([])
  })

  it("takes a No from a button, and a No with a reason from a modal", async () => {
    const { world, node } = await openLinked()
    const first = await ask(node)
    await press(world, await newestMessage(world), "holdpoint_no")
    expect(await node.hub.wait(first)).toEqual({ status: "completed", content: { confirmed: "no" } })
    const second = await ask(node, { message: "Delete the other note?" })
    const message = await world.slack.until(() =>
      world.slack
        .as("U0ALICE")
        .sees()
        .find((one) => hasButtons(one) && all(one).includes("other")),
    )
    await press(world, message, "holdpoint_decline")
    expect(await world.slack.as("U0ALICE").submit({ reason: "We still need it" })).toEqual({
      isClosed: true,
      errors: {},
    })
    const reason = { code: "person_declined", message: "We still need it" }
    expect(await node.hub.wait(second)).toEqual({ status: "declined", reason })
    expect(all(await ended(world, message))).toContain("The reason: We still need it")
  })

  verifies("slack.only-the-addressee", "refuses the presses of other people, and tells only them", async () => {
    const { world, node } = await openLinked()
    const threadOf = world.slack.as("U0ALICE").mention("delete my note")
    const inThread = await world.addNode({
      threadOf: async () => ({ team: "T0TEAM", channel: "C0GENERAL", thread_ts: threadOf.ts }),
    })
    await node.close()
    const asked = await ask(inThread)
    const message = await world.slack.until(() =>
      world.slack.as("U0BOB").sees({ channel: "C0GENERAL" }).find(hasButtons),
    )
    expect(message.thread_ts).toBe(threadOf.ts)
    for (const button of ["holdpoint_yes", "holdpoint_no", "holdpoint_decline"]) {
      expect(await press(world, message, button, "U0BOB")).toMatchObject({ kind: "acknowledged" })
    }
    expect(whispers(world, "U0BOB", "C0GENERAL").map(({ text: said }) => said)).toEqual(
      Array(3).fill("This question is for somebody else, so your answer was not taken."),
    )
    expect(world.slack.as("U0BOB").modal()).toBeUndefined()
    expect((await inThread.hub.get(asked.id))?.status).toBe("pending")
    await press(world, message, "holdpoint_yes")
    expect(await inThread.hub.wait(asked)).toMatchObject({ status: "completed" })
  })

  it("for a role reaches its members, and ends for all when one answers", async () => {
    const { world, node } = await openLinked()
    world.people[0] = { principal: { ...alice, roles: ["operator"] } }
    const asked = await ask(node, { audience: { kind: "role", tenant: "acme", role: "operator" } as never })
    const [hers, his] = [await newestMessage(world, "U0ALICE"), await newestMessage(world, "U0BOB")]
    world.people[0] = { principal: alice }
    await press(world, hers, "holdpoint_yes")
    expect(whispers(world, "U0ALICE")).toHaveLength(1)
    expect((await node.hub.get(asked.id))?.status).toBe("pending")
    await press(world, his, "holdpoint_yes", "U0BOB")
    expect(await node.hub.wait(asked)).toMatchObject({ status: "completed" })
    expect(all(await ended(world, hers))).toContain("Answered by <@U0BOB>")
    await ended(world, his, "U0BOB")
  })

  verifies("slack.late-press", "answers a late press with how the question ended", async () => {
    const { world, node } = await openLinked()
    const endings: readonly [string, (id: string) => Promise<unknown>][] = [
      [
        "Answered: Keep it.",
        (id) => node.hub.answer(id, { by: alice, action: "accept", content: { confirmed: "no" } }),
      ],
      [
        "Declined. The reason: busy",
        (id) => node.hub.answer(id, { by: alice, action: "decline", reason: { code: "x", message: "busy" } }),
      ],
      ["Not needed any more: the question was withdrawn.", (id) => node.hub.cancel(id)],
      ["Not answered in time.", () => world.advance(lifetimeMs + 1)],
    ]
    for (const [words, end] of endings) {
      const { id } = await ask(node, { form: confirmForm({ yes: "Delete it", no: "Keep it" }) })
      const message = await world.slack.until(() =>
        world.slack
          .as("U0ALICE")
          .sees()
          .find((one) => all(one).includes(id)),
      )
      await end(id)
      const { isClosed } = { isClosed: await pressAsItWas(world, message, id) }
      expect(isClosed).toBe("acknowledged")
      expect(whispers(world, "U0ALICE").at(-1)?.text).toBe(words)
      expect(all(await ended(world, message))).toContain(
        words.replace("Answered:", "Answered by <@U0ALICE>:").replace("Declined.", "Declined by <@U0ALICE>."),
      )
    }
    expect(world.problems).toEqual([])
  })

  it("sends a No after a Yes to the hub, and says that the program already had the answer", async () => {
    const { world, node } = await openLinked()
    const asked = await ask(node)
    const message = await newestMessage(world)
    await node.hub.answer(asked.id, { by: alice, action: "accept", content: { confirmed: "yes" } })
    await node.hub.wait(asked)
    await pressAsItWas(world, message, asked.id, "holdpoint_no")
    expect(whispers(world, "U0ALICE").at(-1)?.text).toBe(
      "The question was already answered. The program that asked had that answer already, and may act on it.",
    )
    const entries = await world.storage.trail.read({ id: asked.id, limit: 100 })
    // What a call that runs looks for before it does what was agreed to.
    expect(entries.filter(({ kind }) => kind === "refused").map(({ detail }) => detail.message)).toEqual(["decline"])
  })
})

/** A press at a message that this person's client has not redrawn yet. */
async function pressAsItWas(
  world: SlackWorld,
  message: Message,
  id: string,
  button = "holdpoint_yes",
): Promise<string> {
  const payload = {
    ...{
      type: "block_actions",
      api_app_id: "A0HOLDPOINT",
      trigger_id: `t${id}`,
      team: { id: "T0TEAM" },
      user: { id: "U0ALICE" },
    },
    container: { type: "message", channel_id: message.channel, message_ts: message.ts },
    actions: [{ action_id: button, value: id }],
  }
  return (await world.slack.courier.interaction(payload)).kind
}

describe("a form in Slack", () => {
  const every = form(
    {
      name: text({ title: "Name", description: "As it is written", maxLength: 20 }),
      about: text({ maxLength: 1_000, default: "line\nline" }),
      mail: email(),
      site: uri({ default: "https://example.com/" }),
      day: date({ default: "2026-02-03" }),
      moment: dateTime({ default: "2026-02-03T10:00:00Z" }),
      count: integer({ minimum: 1, maximum: 10, default: 3 }),
      share: number({ default: 0.5 }),
      sure: yesNo({ title: "Sure?" }),
      plan: choice({ free: "Free plan", pro: "Pro plan" }, { default: "pro" }),
      town: choice(Array.from({ length: 40 }, (_none, index) => `Town ${index}`)),
      tags: choices(["a", "b", "c"], { default: ["b"] }),
      codes: choices(
        Array.from({ length: 130 }, (_none, index) => `Code ${index}`),
        { maxItems: 3 },
      ),
    },
    { optional: ["about", "codes"] },
  )

  verifies(
    "slack.every-field",
    "is a modal with an input for every kind of field, and its content is the answer",
    async () => {
      const { world, node } = await openLinked()
      const asked = await ask(node, { message: "Tell me more", form: every })
      const message = await newestMessage(world)
      expect(labels(message)).toEqual(["Answer…", "Decline…"])
      await press(world, message, "Answer…")
      const person = world.slack.as("U0ALICE")
      expect(person.modal()?.view.title).toMatchObject({ text: "Your answer" })
      const filled = {
        Name: "Ada 👩‍💻",
        mail: "ada@example.com",
        "Sure?": "No",
        town: "Town 39",
        codes: ["Code 0", "Code 129"],
      }
      expect(await person.submit(filled)).toEqual({ isClosed: true, errors: {} })
      expect(await node.hub.wait(asked)).toEqual({
        status: "completed",
        content: {
          ...{ name: "Ada 👩‍💻", about: "line\nline", mail: "ada@example.com", site: "https://example.com/" },
          ...{ day: "2026-02-03", moment: "2026-02-03T10:00:00Z", count: 3, share: 0.5, sure: false, plan: "pro" },
          ...{ town: "Town 39", tags: ["b"], codes: ["Code 0", "Code 129"] },
        },
      })
      expect(all(await ended(world, message))).not.toContain("Ada")
    },
  )

  it("shows the hub's problems beside their fields, and stays open", async () => {
    const { world, node } = await openLinked()
    const asked = await ask(node, {
      message: "How many?",
      form: form({ count: integer({ minimum: 1, maximum: 10 }), why: text({ minLength: 5 }) }),
    })
    await press(world, await newestMessage(world), "Answer…")
    const person = world.slack.as("U0ALICE")
    expect(await person.submit({ count: 11, why: "no" })).toEqual({
      isClosed: false,
      errors: { field_0: expect.stringContaining("10"), field_1: expect.stringContaining("5") },
    })
    expect((await node.hub.get(asked.id))?.status).toBe("pending")
    expect(await person.submit({ count: 10, why: "because" })).toEqual({ isClosed: true, errors: {} })
    expect(await node.hub.wait(asked)).toMatchObject({ content: { count: 10, why: "because" } })
  })

  it("that was answered elsewhere in the meantime says so when it is submitted", async () => {
    const { world, node } = await openLinked()
    const { id } = await ask(node, { message: "How many?", form: form({ count: integer() }) })
    await press(world, await newestMessage(world), "Answer…")
    await node.hub.answer(id, { by: alice, action: "accept", content: { count: 1 } })
    const person = world.slack.as("U0ALICE")
    expect(await person.submit({ count: 2 })).toEqual({ isClosed: false, errors: {} })
    expect(JSON.stringify(person.modal()?.view)).toContain("Answered.")
    expect((await node.hub.get(id))?.content).toEqual({ count: 1 })
  })

  it("with a decision opens its other fields with the Yes, and takes a No without them", async () => {
    const { world, node } = await openLinked()
    const edit = form(
      { confirmed: choice({ yes: "Send mail", no: "Do not send" }), arguments: text({ default: "{}" }) },
      { optional: ["arguments"] },
    )
    const first = await ask(node, { message: "Send the mail?", form: edit })
    const message = await newestMessage(world)
    expect(labels(message)).toEqual(["Send mail…", "Do not send", "Do not send, because…"])
    await press(world, message, "Send mail…")
    await world.slack.as("U0ALICE").submit({ arguments: '{"to":"bob"}' })
    expect(await node.hub.wait(first)).toMatchObject({ content: { confirmed: "yes", arguments: '{"to":"bob"}' } })
    await ended(world, message)
    const second = await ask(node, { message: "Send another?", form: edit })
    await press(world, await newestMessage(world), "Do not send")
    expect(await node.hub.wait(second)).toEqual({ status: "declined" })
  })

  it("that Slack cannot show whole has a link to the page instead", async () => {
    const { world, node } = await openLinked()
    const large: readonly [string, Form][] = [
      ["long titles", form({ plan: choice(["x".repeat(76)]) })],
      ["a long default", form({ about: text({ default: "x".repeat(3_001) }) })],
      ["a long text", form({ about: text({ minLength: 3_001 }) })],
      ["a number with an exponent", form({ much: number({ default: 1e300 }) })],
      ["an early time", form({ at: dateTime({ default: "1970-01-01T00:00:00Z" }) })],
    ]
    for (const [message, asking] of large) {
      const { id } = await ask(node, { message, form: asking })
      const largeMessage = await world.slack.until(() =>
        world.slack
          .as("U0ALICE")
          .sees()
          .find((one) => all(one).includes(id)),
      )
      expect(labels(largeMessage)).toEqual(["Answer on the page", "Decline…"])
      expect(all(largeMessage)).toContain(`${node.url}/inbox/${id}`)
    }
  })
})

describe("a question of several people in Slack", () => {
  it("says how many have to approve, and confirms that a Yes was counted", async () => {
    const { world, node } = await openLinked()
    const audience = { kind: "any", principals: [alice, bob] } as const
    const draft = {
      message: "Deploy?",
      audience,
      requester,
      lifetimeMs,
      form: confirmForm({}, "Deploy?"),
      approvals: 2,
    }
    const asked = await node.hub.ask(draft)
    const message = await newestMessage(world)
    expect(all(message)).toContain("2 people have to approve.")
    await press(world, message, "Deploy")
    const counted = await world.slack.until(() => whispers(world, "U0ALICE").at(-1))
    expect(counted.text).toContain("Your answer was counted.")
    await press(world, await newestMessage(world, "U0BOB"), "Deploy", "U0BOB")
    expect((await node.hub.wait(asked)).status).toBe("completed")
    expect(all(await ended(world, message))).not.toContain("have to approve")
  })
})

describe("a link in Slack", () => {
  it("names its host, leads through our page, and can be declined", async () => {
    const { world, node } = await openLinked()
    const asked = await node.hub.ask({
      message: "Sign the contract",
      audience: alice,
      requester,
      lifetimeMs,
      url: "https://sign.example/c/1?x=<!channel>",
    })
    const message = await newestMessage(world)
    expect(labels(message)).toEqual([openSign, "Decline…"])
    expect(all(message)).toContain("The link leads to sign\u2060.example.")
    expect(all(message)).toContain(`"url":"${node.url}/inbox/${asked.id}"`)
    expect(await press(world, message, openSign)).toMatchObject({ kind: "acknowledged" })
    expect((await node.hub.get(asked.id))?.status).toBe("pending")
    await press(world, message, "Decline…")
    await world.slack.as("U0ALICE").submit({})
    expect(await node.hub.wait(asked)).toEqual({ status: "declined" })
  })

  it("names the host behind our page, for a link that a program asked over HTTP or MCP", async () => {
    const { world, node } = await openLinked()
    const address = "https://sign.example/c/1"
    const addresses = createAddresses(node.url)
    const asked = await node.hub.ask(
      visitDraft({ message: "Sign the contract", audience: alice, requester, lifetimeMs, address }, addresses),
    )
    const message = await newestMessage(world)
    expect(labels(message)).toEqual([openSign, "Decline…"])
    expect(all(message)).toContain("The link leads to sign\u2060.example.")
    expect(all(message)).toContain(`"url":"${node.url}/visit/${asked.id}"`)
  })
})
