// Linking a Slack account to a person, and attempts to be linked as another person.

import { form, text } from "@holdpoint/hub"
import type { Message } from "@holdpoint/slack-stand-in"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { signInKind, slackLinkRequestKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { agree, openServedWorld, personOf, type ServedWorld } from "./world.ts"

const lifetimeMs = 3_600_000
const name = form({ name: text() })
const hasButton = ({ blocks }: Message, label: string): boolean => JSON.stringify(blocks ?? []).includes(label)
const sent = (world: ServedWorld, user: string, label: string): Promise<Message> =>
  world.slack.until(() =>
    world.slack
      .as(user)
      .sees()
      .findLast((message) => hasButton(message, label)),
  )
const ask = (world: ServedWorld, subject: string) =>
  world.server.hub.ask({
    message: "What is your name?",
    audience: personOf(world, subject),
    requester: { id: "p", name: "Program" },
    lifetimeMs,
    form: name,
  })
const linksOf = async (world: ServedWorld, subject: string) =>
  (await world.part.app.links.of(personOf(world, subject))).map(({ id }) => id)
const codeIn = (page: string): string => /<code>([A-Z0-9-]+)<\/code>/.exec(page)?.[1] ?? ""

/** Presses the button of a message, and enters something into the modal. */
async function enterCode(world: ServedWorld, user: string, code: string) {
  const message = await sent(world, user, "Enter the code")
  const person = world.slack.as(user)
  await person.press({ channel: message.channel, ts: message.ts, button: "Enter the code" })
  return person.submit({ Code: code })
}

describe("a person whose Slack account is not linked", () => {
  verifies(
    "slack.linked-then-asked",
    "is invited by their e-mail address, links in two clicks, and is asked there",
    async () => {
      const world = await openServedWorld()
      const asked = await ask(world, "alice")
      const invitation = await sent(world, "U0ALICE", "Link your account")
      expect(JSON.stringify(invitation)).not.toContain("What is your name?")
      expect(JSON.stringify(invitation.blocks)).toContain("Program has a question for you.")
      await world.slack.as("U0ALICE").press({ ...invitation, button: "Link your account" })
      const link = await world.linkSeenBy("U0ALICE")
      const browser = openJarBrowser()
      const page = await world.visit(link, "alice", browser)
      expect(page.text).toContain("<strong>alice</strong> in the workspace <strong>Team 1</strong>")
      expect(page.text).toContain("<strong>Alice</strong>")
      expect(await linksOf(world, "alice")).toEqual([])
      expect((await agree(browser, page)).text).toContain("Your Slack account is linked")
      const question = await sent(world, "U0ALICE", "Answer…")
      expect(question.ts).toBe(invitation.ts)
      expect(JSON.stringify(question.blocks)).toContain("What is your name?")
      await world.slack.as("U0ALICE").press({ ...question, button: "Answer…" })
      await world.slack.as("U0ALICE").submit({ name: "Alice" })
      expect(await world.server.hub.wait(asked)).toEqual({ status: "completed", content: { name: "Alice" } })
      expect(world.problems).toEqual([])
    },
  )

  it("gets the link when they write to the app, and their message is processed once they are linked", async () => {
    const world = await openServedWorld()
    const heard: unknown[] = []
    world.part.app.onMessage(async ({ text, principal }) => void heard.push([text, principal.subject]))
    world.slack.as("U0BOB").mention("what is new?")
    const link = await world.linkSeenBy("U0BOB", { channel: "C0GENERAL" })
    expect(heard).toEqual([])
    const browser = openJarBrowser()
    await agree(browser, await world.visit(link, "bob", browser))
    await expect.poll(() => heard).toEqual([["<@U0BOT> what is new?", "bob"]])
    for (const other of ["U0ALICE", "U0MALLORY"]) {
      expect(JSON.stringify(world.slack.as(other).sees({ channel: "C0GENERAL" }))).not.toContain("/slack/link/")
    }
  })

  it("links by a code when the two e-mail addresses differ", async () => {
    const world = await openServedWorld()
    world.slack.as("U0CAROL").say("hello")
    const browser = openJarBrowser()
    const page = await agree(browser, await world.visit(await world.linkSeenBy("U0CAROL"), "alice", browser))
    expect(page.text).toContain("Enter this code in Slack")
    expect(await linksOf(world, "alice")).toEqual([])
    const typed = codeIn(page.text).toLowerCase().replace("-", " ")
    expect(await enterCode(world, "U0CAROL", typed)).toEqual({ isClosed: true, errors: {} })
    expect(await linksOf(world, "alice")).toEqual(["T0TEAM:U0CAROL"])
  })

  it("can link accounts in several workspaces, and a question reaches each", async () => {
    const world = await openServedWorld([{}, {}])
    for (const team of ["T0TEAM", "T0TEAM2"]) {
      await world.part.app.links.link(
        { team, user: "U0ALICE", userName: "alice", teamName: team },
        personOf(world, "alice"),
      )
    }
    const asked = await ask(world, "alice")
    const seen = (team: string) => () =>
      world.slack
        .as("U0ALICE", team)
        .sees()
        .find((message) => hasButton(message, "Answer…"))
    const second = await world.slack.until(seen("T0TEAM2"))
    await world.slack.until(seen("T0TEAM"))
    await world.slack.as("U0ALICE", "T0TEAM2").press({ ...second, button: "Answer…" })
    await world.slack.as("U0ALICE", "T0TEAM2").submit({ name: "Alice" })
    expect(await world.server.hub.wait(asked)).toMatchObject({ status: "completed" })
    await world.slack.until(() => seen("T0TEAM")() === undefined && seen("T0TEAM2")() === undefined)
  })
})

describe("a link to link an account", () => {
  verifies(
    "slack.link-binds-no-stranger",
    "that mallory forwards to alice does not let mallory answer for alice",
    async () => {
      const world = await openServedWorld()
      world.slack.as("U0MALLORY").say("hello")
      const link = await world.linkSeenBy("U0MALLORY")
      const browser = openJarBrowser()
      const page = await world.visit(link, "alice", browser)
      expect(page.text).toContain("If you are not mallory in Slack")
      const linked = await agree(browser, page)
      expect(await linksOf(world, "alice")).toEqual([])
      // Mallory sees the message and the link in Slack, but not the code on Alice's screen.
      expect(JSON.stringify(world.slack.as("U0MALLORY").sees())).not.toContain(codeIn(linked.text))
      for (let miss = 0; miss < 5; miss++) {
        expect(await enterCode(world, "U0MALLORY", `AAAAA-AAAA${miss}`)).toMatchObject({ isClosed: false })
      }
      expect(await enterCode(world, "U0MALLORY", codeIn(linked.text)).catch(() => "refused")).not.toMatchObject({
        isClosed: true,
      })
      expect(await linksOf(world, "alice")).toEqual([])
      const asked = await ask(world, "alice")
      const invitation = await sent(world, "U0ALICE", "Link your account")
      expect(invitation.channel).toBe("D0ALICE")
      expect((await world.server.hub.get(asked.id))?.status).toBe("pending")
    },
  )

  it("that another person finds does not link the Slack account to them", async () => {
    const world = await openServedWorld()
    world.slack.as("U0ALICE").say("hello")
    const link = await world.linkSeenBy("U0ALICE")
    const bobs = openJarBrowser()
    const linked = await agree(bobs, await world.visit(link, "bob", bobs))
    expect(linked.text).toContain("Enter this code in Slack")
    expect(await linksOf(world, "bob")).toEqual([])
    expect(JSON.stringify((await sent(world, "U0ALICE", "Enter the code")).blocks)).toContain(
      "Bob (bob\u2060@example\u2060.com) signed in",
    )
    // Alice learns that the link was used, and requests a new one.
    const alices = openJarBrowser()
    expect((await world.visit(link, "alice", alices)).status).toBe(404)
  })

  it("works once, and changes nothing when it is only opened", async () => {
    const world = await openServedWorld()
    world.slack.as("U0ALICE").say("hello")
    const link = await world.linkSeenBy("U0ALICE")
    const browser = openJarBrowser()
    for (let times = 0; times < 3; times++) expect((await world.visit(link, "alice", browser)).status).toBe(200)
    expect((await browser.ask(link, { method: "HEAD" })).status).toBeLessThan(500)
    expect(await linksOf(world, "alice")).toEqual([])
    const page = await world.visit(link, "alice", browser)
    const results = await Promise.all([agree(browser, page), agree(browser, page), agree(browser, page)])
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    expect((await world.visit(link, "alice", browser)).status).toBe(404)
    expect(await linksOf(world, "alice")).toEqual(["T0TEAM:U0ALICE"])
    world.slack.as("U0BOB").say("hello")
    const token = (await world.linkSeenBy("U0BOB")).split("/").at(-1) ?? ""
    const claims = Array.from({ length: 5 }, () => world.part.app.linking.claim(token, personOf(world, "bob")))
    const states = (await Promise.all(claims)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(["linked", ...Array(4).fill("unusable")])
  })

  it("works for ten minutes, and changes nothing afterwards", async () => {
    const world = await openServedWorld()
    world.slack.as("U0ALICE").say("hello")
    const link = await world.linkSeenBy("U0ALICE")
    const browser = openJarBrowser()
    world.advance(590_000)
    const page = await world.visit(link, "alice", browser)
    expect(page.status).toBe(200)
    world.advance(20_000)
    expect((await browser.open(link)).status).toBe(404)
    expect((await agree(browser, page)).status).toBe(404)
    expect(await linksOf(world, "alice")).toEqual([])
  })

  it("is stored only as a hash, and cannot be guessed", async () => {
    const world = await openServedWorld()
    world.slack.as("U0ALICE").say("hello")
    const link = await world.linkSeenBy("U0ALICE")
    const token = link.split("/").at(-1) ?? ""
    expect(token).toMatch(/^[\w-]{43}$/)
    await openJarBrowser().open(link)
    const storedFlows = [
      await world.storage.records(slackLinkRequestKind).list({ tenant: "T0TEAM", limit: 10 }),
      await world.storage.records(signInKind).list({ tenant: "", limit: 10 }),
    ]
    expect(storedFlows[0]).toHaveLength(1)
    expect(JSON.stringify(storedFlows)).not.toContain(token)
    const browser = openJarBrowser()
    await world.visit(link, "alice", browser)
    for (const id of [storedFlows[0]?.[0]?.id ?? "", "x".repeat(43), "continue"]) {
      const page = await openJarBrowser().open(`${world.server.publicUrl}/slack/link/${id}`)
      expect(page.text).not.toContain("Link your Slack account?")
    }
  })

  it("needs a click on our own page", async () => {
    const world = await openServedWorld()
    world.slack.as("U0ALICE").say("hello")
    const link = await world.linkSeenBy("U0ALICE")
    const browser = openJarBrowser()
    const page = await world.visit(link, "alice", browser)
    const post = (body: string, headers: Readonly<Record<string, string>>) =>
      browser.ask(link, {
        method: "POST",
        body,
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      })
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ""
    expect((await post("do=link", { origin: "null", "sec-fetch-site": "same-origin" })).status).toBe(403)
    expect(
      (await post(`do=link&csrf=${csrf}`, { origin: "https://evil.example", "sec-fetch-site": "cross-site" })).status,
    ).toBe(403)
    expect(await linksOf(world, "alice")).toEqual([])
  })
})

describe("a linked account", () => {
  it("can be unlinked on the account page only by its person, and then answers nothing in Slack", async () => {
    const world = await openServedWorld()
    const account = { team: "T0TEAM", user: "U0ALICE", userName: "alice", teamName: "Team 1" }
    await world.part.app.links.link(account, personOf(world, "alice"))
    const asked = await ask(world, "alice")
    const question = await sent(world, "U0ALICE", "Answer…")
    const [alices, bobs] = [openJarBrowser(), openJarBrowser()]
    const at = `${world.server.publicUrl}/account`
    const [hers, his] = [await world.visit(at, "alice", alices), await world.visit(at, "bob", bobs)]
    expect(hers.text).toContain("in the workspace Team 1")
    expect(his.text).toContain("No Slack account is linked.")
    const form = (text: string) => text.slice(text.indexOf("<main"))
    const unlink = hers.text.indexOf("/account/slack/")
    const action = hers.text.slice(unlink, hers.text.indexOf('"', unlink))
    const forged = { ...his, text: form(his.text).replace(/action="[^"]*"/, `action="${action}"`) }
    expect((await bobs.submit(forged, {})).status).toBe(404)
    expect(await linksOf(world, "alice")).toEqual(["T0TEAM:U0ALICE"])
    const own = { ...hers, text: hers.text.slice(hers.text.lastIndexOf("<form", unlink)) }
    await alices.submit(own, {})
    expect(await linksOf(world, "alice")).toEqual([])
    await world.slack.as("U0ALICE").press({ ...question, button: "Answer…" })
    expect(world.slack.as("U0ALICE").modal()).toBeUndefined()
    expect((await world.server.hub.get(asked.id))?.status).toBe("pending")
  })

  it("of a person who is not known any more leads to no person", async () => {
    const world = await openServedWorld()
    const stranger = { ...personOf(world, "zoe") }
    await world.part.app.links.link(
      { team: "T0TEAM", user: "U0CAROL", userName: "carol", teamName: "Team 1" },
      stranger,
    )
    expect(await world.part.app.links.personOf({ team: "T0TEAM", user: "U0CAROL" })).toBeUndefined()
  })
})
