// The rights of readers of the event stream: sessions, tokens, programs, and people who try to see the events of
// others.

import { form, text } from "@holdpoint/hub"
import { userMessage } from "@holdpoint/testkit/agents/agents-server"
import { apiKey, type CallersWorld, openCallersWorld, showing } from "@holdpoint/testkit/agents/callers-world"
import {
  chunksOf,
  type EventsReader,
  isChunk,
  readEvents,
  type SeenEvent,
  wordsOf,
} from "@holdpoint/testkit/agents/read-events"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest"

let world: CallersWorld
beforeAll(async () => {
  world = await openCallersWorld()
})
afterAll(() => world.close())
afterEach(() => {
  world.clock.aheadMs = 0
})

type Headers = Readonly<Record<string, string>>

async function follow(headers: Headers, query: string): Promise<EventsReader> {
  const stream = readEvents(await world.send(`/run/api/events?${query}`, { headers }))
  onTestFinished(() => stream.leave())
  return stream
}

const post = (id: string, text: string, headers: Headers): Promise<Response> =>
  world.send("/run/api/chat", {
    body: { id, messages: [userMessage(text)] },
    headers: { ...showing, prefer: "respond-async", ...headers },
  })

const isInbox = ({ event }: SeenEvent): boolean => event === "inbox"
const isAsked = ({ data }: SeenEvent): boolean => data.kind === "asked"
const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { readonly code: string }).code,
]

describe("the stream of events", () => {
  verifies(
    "run.events-own",
    "never shows another person's conversation of the same name, nor their questions",
    async () => {
      const [alice, bob] = [await world.session("alice"), await world.session("bob")]
      const stream = await follow(bob, "conversation=same")
      await stream.until(isInbox)
      expect((await post("same", "trip", alice)).status).toBe(202)
      await (await follow(alice, "conversation=same")).until(isChunk("data-elicitation"))
      await post("same", "hello of bob", bob)
      await stream.until(isChunk("finish"))
      expect(wordsOf(stream.seen, "same")).toBe("You said: hello of bob")
      expect(stream.seen.filter(isInbox).map(({ data }) => data)).toEqual([{ open: 0 }])
      expect(JSON.stringify(stream.seen)).not.toContain("plan_trip")
      const items = await (await world.send("/run/api/conversations/same/timeline", { headers: bob })).text()
      expect(items).toContain("run-started")
      expect(items).not.toMatch(/plan_trip|Where to/)
      expect(
        await codeOf(await world.send("/run/api/conversations/same/timeline", { headers: await world.session("eve") })),
      ).toEqual([...[404, "not_found"]])
    },
  )

  it("treats an event id of another person's stream as a position in the caller's own stream", async () => {
    const [carol, dave] = [await world.session("carol"), await world.session("dave")]
    await post("place", "trip", carol)
    const theirs = await follow(carol, "conversation=place")
    const { id } = await theirs.until(isChunk("data-elicitation"))
    const stream = await follow({ ...dave, "last-event-id": id }, "conversation=place")
    await post("place", "hello", dave)
    await post("other", "trip", dave)
    await stream.until(isAsked)
    expect(JSON.stringify(stream.seen)).not.toContain("Where to?")
    expect(stream.seen.filter(isInbox)).toHaveLength(1)
  })

  it("is refused without a person or program", async () => {
    expect(await codeOf(await world.send("/run/api/events"))).toEqual([401, "not_signed_in"])
  })

  verifies("run.events-own", "ends when the session is ended elsewhere, even while nothing is sent", async () => {
    const browser = await world.signIn("gina")
    const { publicUrl } = world.server
    const cookie = [...browser.cookies(publicUrl)].map(([name, value]) => `${name}=${value}`).join("; ")
    const stream = await follow({ cookie, origin: publicUrl }, "conversation=quiet")
    await stream.until(isInbox)
    const account = await browser.open(`${publicUrl}/account`)
    const form = /<form[^>]*action="[^"]*signout"[\s\S]*?<\/form>/.exec(account.text)?.[0] ?? ""
    await browser.submit({ ...account, text: form }, {})
    expect((await stream.rest()).filter(isInbox)).toHaveLength(1)
  })

  verifies("run.events-own", "sends nothing more once the token has expired", async () => {
    const headers = await world.minted("hanna", { seconds: 60 })
    const stream = await follow(headers, "conversation=late")
    await stream.until(isInbox)
    world.clock.aheadMs = 61_000
    const session = await world.session("hanna")
    expect((await post("late", "hello", session)).status).toBe(202)
    expect(chunksOf(await stream.rest(), "late")).toEqual([])
  })
})

describe("a token for one conversation", () => {
  verifies("run.events-own", "follows only that conversation, and shows nothing of the inbox", async () => {
    const session = await world.session("ivan")
    const headers = await world.minted("ivan", { conversationId: "only" })
    const stream = await follow(headers, "")
    await post("mine", "trip", session)
    await (await follow(session, "conversation=mine")).until(isChunk("data-elicitation"))
    await post("only", "trip", session)
    await stream.until(isChunk("data-elicitation"))
    expect(stream.seen.filter(isInbox)).toEqual([])
    expect(new Set(stream.seen.map(({ data }) => data.conversationId))).toEqual(new Set(["only"]))
  })

  it("does not show the timeline of another conversation", async () => {
    const headers = await world.minted("ivan", { conversationId: "only" })
    const refused = await world.send("/run/api/conversations/mine/timeline", { headers })
    expect(await codeOf(refused)).toEqual([403, "wrong_conversation"])
  })

  it.each(["conversation=mine", "conversation=only&conversation=mine"])("is refused with %s", async (query) => {
    const headers = await world.minted("ivan", { conversationId: "only" })
    expect(await codeOf(await world.send(`/run/api/events?${query}`, { headers }))).toEqual([403, "wrong_conversation"])
  })
})

describe("a token that a program gets for a person", () => {
  it("shows the questions of their conversations, and not the rest of their inbox", async () => {
    const headers = await world.minted("judy")
    const stream = await follow(headers, "conversation=judy")
    await stream.until(isInbox)
    const audience = { kind: "one", principal: world.person("judy") } as const
    const requester = { id: "other", name: "Another program" }
    await world.server.hub.ask({ requester, audience, message: "Private?", form: form({ where: text() }) })
    await post("judy", "trip", headers)
    expect((await stream.until(isAsked)).data.open).toBe(1)
    expect(stream.seen.filter(isInbox)).toHaveLength(2)
  })
})

describe("a program with an API key", () => {
  const headers = { "x-api-key": apiKey }

  it("follows its own conversations, and has no inbox", async () => {
    const stream = await follow(headers, "conversation=own")
    await post("own", "hello", headers)
    await stream.until(isChunk("finish"))
    expect(wordsOf(stream.seen, "own")).toBe("You said: hello")
    expect(stream.seen.filter(isInbox)).toEqual([])
  })

  it("is refused without a conversation to follow", async () => {
    expect(await codeOf(await world.send("/run/api/events", { headers }))).toEqual([400, "nothing_to_follow"])
  })
})

describe("a page of a listed origin", () => {
  it("may ask to read the reply elsewhere, and read that the preference was applied", async () => {
    const headers = await world.minted("kim")
    const response = await post("kim", "hello", headers)
    expect(response.headers.get("access-control-expose-headers")).toContain("preference-applied")
    const preflight = await world.send("/run/api/chat", {
      method: "OPTIONS",
      headers: {
        ...{ origin: headers.origin ?? "", "access-control-request-method": "POST" },
        "access-control-request-headers": "prefer,x-api-key",
      },
    })
    expect(preflight.headers.get("access-control-allow-headers")).toBe("prefer")
  })
})

describe("the timeline page of a question of a reply", () => {
  it("shows the tool call that asked and the rest of the reply, only to its person", async () => {
    const [lena, otto] = [await world.session("lena"), await world.session("otto")]
    await post("page", "trip", lena)
    const stream = await follow(lena, "conversation=page")
    const asked = await stream.until(isChunk("data-elicitation"))
    const elicitationId = (asked.data.chunk as { readonly id: string }).id
    const answer = { conversationId: "page", elicitationId, action: "accept", content: { where: "Reykjavik" } }
    await stream.find(({ data }) => (data.item as { readonly kind?: string } | undefined)?.kind === "paused")
    await world.send("/run/api/elicitation-responses", { body: answer, headers: lena })
    await stream.find(({ data }) => (data.item as { readonly kind?: string } | undefined)?.kind === "run-ended")
    const page = await (await world.send(`/inbox/${elicitationId}/timeline`, { headers: lena })).text()
    for (const words of ["The agent helper began its reply", "“plan_trip” was called", "You answered", "in the chat"])
      expect(page).toContain(words)
    expect(page).toContain("The reply was finished")
    expect(page).not.toContain("Reykjavik")
    expect((await world.send(`/inbox/${elicitationId}/timeline`, { headers: otto })).status).toBe(404)
  })
})
