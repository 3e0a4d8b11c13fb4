// The whole table of how a question reaches a client: every combination, and the expected channel.

import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { Channel, ChannelNeeds, ChannelSettings } from "../../../src/server/channel.ts"
import { channelOf, knownClients } from "../../../src/server/channel.ts"
import type { Client } from "../../../src/server/client.ts"

const settings: ChannelSettings = { urlWay: "push", formLink: "form", clients: {} }
const askings = {
  "a form": { mode: "form", fitsClient: true, hasPage: true },
  "a form without a page": { mode: "form", fitsClient: true, hasPage: false },
  "a form that does not fit": { mode: "form", fitsClient: false, hasPage: true },
  "a form that fits nowhere": { mode: "form", fitsClient: false, hasPage: false },
  "a link": { mode: "url", fitsClient: true, hasPage: true },
  "a link, without pages of ours": { mode: "url", fitsClient: true, hasPage: false },
} as const satisfies Record<string, ChannelNeeds>

const clientOf = (revision: Client["revision"], modes: string, isReachable: boolean): Client => ({
  ...{ revision, isReachable },
  form: modes.includes("form"),
  url: modes.includes("url"),
})
const clients = {
  "2026-07-28, form and url": clientOf("2026-07-28", "form url", false),
  "2026-07-28, form": clientOf("2026-07-28", "form", false),
  "2026-07-28, url": clientOf("2026-07-28", "url", false),
  "2026-07-28, nothing": clientOf("2026-07-28", "", false),
  "2025-11-25 held, form and url": clientOf("2025-11-25", "form url", true),
  "2025-11-25 held, form": clientOf("2025-11-25", "form", true),
  "2025-11-25 held, url": clientOf("2025-11-25", "url", true),
  "2025-11-25 held, nothing": clientOf("2025-11-25", "", true),
  "2025-11-25 stateless, form and url": clientOf("2025-11-25", "form url", false),
  "2025-11-25 stateless, form": clientOf("2025-11-25", "form", false),
  "2025-11-25 stateless, url": clientOf("2025-11-25", "url", false),
  "2025-11-25 stateless, nothing": clientOf("2025-11-25", "", false),
  "2025-06-18 held, form": clientOf("2025-06-18", "form", true),
  "2025-06-18 stateless, form": clientOf("2025-06-18", "form", false),
  "before 2025-06-18": clientOf(undefined, "", true),
} as const

type Table = Readonly<Record<keyof typeof clients, readonly [string, string, string, string, string, string]>>

/** Columns as in `askings`; a channel is its means and its shape. */
const expected: Table = {
  "2026-07-28, form and url": ["round form", "round form", "round page", "none", "round url", "round url"],
  "2026-07-28, form": [
    "round form",
    "round form",
    "round acknowledge",
    "none",
    "round acknowledge",
    "round acknowledge",
  ],
  "2026-07-28, url": ["round page", "none", "round page", "none", "round url", "round url"],
  "2026-07-28, nothing": ["text page", "none", "text page", "none", "text url", "text url"],
  "2025-11-25 held, form and url": ["push form", "push form", "push page", "none", "push url", "push url"],
  "2025-11-25 held, form": [
    "push form",
    "push form",
    "push acknowledge",
    "none",
    "push acknowledge",
    "push acknowledge",
  ],
  "2025-11-25 held, url": ["push page", "none", "push page", "none", "push url", "push url"],
  "2025-11-25 held, nothing": ["text page", "none", "text page", "none", "text url", "text url"],
  "2025-11-25 stateless, form and url": ["error page", "none", "error page", "none", "error url", "error url"],
  "2025-11-25 stateless, form": ["text page", "none", "text page", "none", "text url", "text url"],
  "2025-11-25 stateless, url": ["error page", "none", "error page", "none", "error url", "error url"],
  "2025-11-25 stateless, nothing": ["text page", "none", "text page", "none", "text url", "text url"],
  "2025-06-18 held, form": [
    "push form",
    "push form",
    "push acknowledge",
    "none",
    "push acknowledge",
    "push acknowledge",
  ],
  "2025-06-18 stateless, form": ["text page", "none", "text page", "none", "text url", "text url"],
  "before 2025-06-18": ["text page", "none", "text page", "none", "text url", "text url"],
}

const wordsOf = ({ method: by, shape }: Channel): string => (by === "none" ? by : `${by} ${shape}`)
const rows = Object.entries(clients).flatMap(([name, client]) =>
  Object.entries(askings).map(([what, asking], at) => ({
    ...{ name, client, what, asking: asking as ChannelNeeds },
    channel: expected[name as keyof Table][at] ?? "",
  })),
)

describe("the channel of a question", () => {
  it.each(rows)("$what reaches $name by $channel", ({ client, asking, channel }) => {
    expect(wordsOf(channelOf(asking, client, settings))).toBe(channel)
  })

  it.each(rows)("$what reaches $name as expected when links are errors", ({ client, asking, channel }) => {
    const isLink = client.url && client.isReachable && !channel.endsWith("form") && channel !== "none"
    const byError = wordsOf(channelOf(asking, client, { ...settings, urlWay: "error" }))
    expect(byError).toBe(isLink ? channel.replace("push", "error") : channel)
  })

  it.each(rows)("$what reaches $name as expected when links are texts", ({ client, asking, channel }) => {
    const inWords = wordsOf(channelOf(asking, client, { ...settings, formLink: "text" }))
    const shape = asking.mode === "url" ? "url" : "page"
    expect(inWords).toBe(channel.endsWith("acknowledge") ? `text ${shape}` : channel)
  })

  verifies("mcp.declared-modes", "never uses a mode that the client did not declare", () => {
    for (const { client, asking } of rows)
      for (const urlWay of ["push", "error"] as const)
        for (const formLink of ["form", "text"] as const) {
          const { method: by, shape } = channelOf(asking, client, { ...settings, urlWay, formLink })
          const isShown = by === "round" || by === "push"
          if (isShown && (shape === "form" || shape === "acknowledge")) expect(client.form).toBe(true)
          if ((isShown && (shape === "url" || shape === "page")) || by === "error") expect(client.url).toBe(true)
          if (by === "push") expect(client.isReachable).toBe(true)
          if (by === "error" || by === "push") expect(client.revision).not.toBe("2026-07-28")
          if (by === "round") expect(client.revision).toBe("2026-07-28")
        }
  })
})

describe("how a link is sent to a client of 2025-11-25", () => {
  const link = askings["a link"]
  const named = { ...clients["2025-11-25 held, form and url"], name: "Sly" }
  const meansOf = (asking: ChannelNeeds, client: Client, more: Partial<ChannelSettings>) =>
    channelOf(asking, client, { ...settings, ...more }).method

  verifies("mcp.push-or-error", "follows the question's setting, then the known client's, then the server's", () => {
    const clients = { Sly: { urlWay: "error" } } as const
    expect(meansOf(link, named, {})).toBe("push")
    expect(meansOf(link, named, { urlWay: "error" })).toBe("error")
    expect(meansOf(link, named, { clients })).toBe("error")
    expect(meansOf(link, { ...named, name: "Other" }, { clients })).toBe("push")
    expect(meansOf({ ...link, urlWay: "push" }, named, { clients, urlWay: "error" })).toBe("push")
    expect(meansOf({ ...link, urlWay: "error" }, named, {})).toBe("error")
  })

  verifies("mcp.push-or-error", "is an error for a client that cannot be reached, whatever the settings", () => {
    const far = clients["2025-11-25 stateless, url"]
    expect(meansOf({ ...link, urlWay: "push" }, far, { urlWay: "push" })).toBe("error")
  })

  it("is an error for clients that are known to handle it", () => {
    for (const name of Object.keys(knownClients))
      expect(meansOf(link, { ...named, name }, { clients: knownClients })).toBe("error")
  })
})
