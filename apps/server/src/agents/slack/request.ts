// What a person's message in Slack asks for: help, a stop, or an agent's reply to a text. Pure.

export type SlackRequest =
  | { readonly is: "help" }
  | { readonly is: "stop" }
  /** `agent` is the name of the agent if the person named one. */
  | { readonly is: "text"; readonly text: string; readonly agent?: string }

/** `agents` leads from names and titles, in lower case, to the names of the configuration. */
export function readRequest(
  said: string,
  { botUser, agents }: { readonly botUser: string; readonly agents: ReadonlyMap<string, string> },
): SlackRequest {
  const text = toPlain(said.replace(new RegExp(`<@${botUser}(?:\\|[^>]*)?>:?`, "g"), " ")).trim()
  if (text === "" || /^help\s*[.!?]?$/i.test(text)) return { is: "help" }
  if (/^stop\s*[.!]?$/i.test(text)) return { is: "stop" }
  const [, called = "", rest = ""] = /^([^:\n]{1,100}):\s*([\s\S]+)$/.exec(text) ?? []
  const agent = agents.get(called.trim().toLowerCase())
  return agent === undefined ? { is: "text", text } : { is: "text", text: rest, agent }
}

/** Slack's markup as the person saw it. https://docs.slack.dev/messaging/formatting-message-text */
const toPlain = (said: string): string =>
  said
    .replace(/<([^<>\s|]+)(?:\|([^<>]*))?>/g, (_, target: string, label: string | undefined) => toShown(target, label))
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")

function toShown(target: string, label: string | undefined): string {
  if (target.startsWith("!")) return `@${label ?? target.slice(1).split("^")[0]}`
  if (target.startsWith("@") || target.startsWith("#")) return `${target[0]}${label ?? target.slice(1)}`
  const address = target.replace(/^mailto:/, "")
  return label === undefined || target.includes(label) ? address : `${label} (${address})`
}
