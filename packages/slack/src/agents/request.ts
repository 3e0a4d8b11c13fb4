// Reads a person's message in Slack as a request: for help, for a stop, or for an agent's reply to a text. Pure.

export type SlackRequest =
  | { readonly kind: "help" }
  | { readonly kind: "stop" }
  /** `agent` is set when the message begins with the name of an agent. */
  | { readonly kind: "text"; readonly text: string; readonly agent?: string }

/** `agents` maps lower-case names and titles to the names in the configuration. */
export function readRequest(
  message: string,
  { botUser, agents }: { readonly botUser: string; readonly agents: ReadonlyMap<string, string> },
): SlackRequest {
  const text = toPlain(message.replace(new RegExp(`<@${botUser}(?:\\|[^>]*)?>:?`, "g"), " ")).trim()
  if (text === "" || /^help\s*[.!?]?$/i.test(text)) return { kind: "help" }
  if (/^stop\s*[.!]?$/i.test(text)) return { kind: "stop" }
  const [, prefix = "", rest = ""] = /^([^:\n]{1,100}):\s*([\s\S]+)$/.exec(text) ?? []
  const agent = agents.get(prefix.trim().toLowerCase())
  return agent === undefined ? { kind: "text", text } : { kind: "text", text: rest, agent }
}

/** Converts Slack's markup to the text that the person saw. https://docs.slack.dev/messaging/formatting-message-text */
const toPlain = (markup: string): string =>
  markup
    .replace(/<([^<>\s|]+)(?:\|([^<>]*))?>/g, (_, target: string, label: string | undefined) =>
      toReferenceText(target, label),
    )
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")

function toReferenceText(target: string, label: string | undefined): string {
  if (target.startsWith("!")) return `@${label ?? target.slice(1).split("^")[0]}`
  if (target.startsWith("@") || target.startsWith("#")) return `${target[0]}${label ?? target.slice(1)}`
  const address = target.replace(/^mailto:/, "")
  return label === undefined || target.includes(label) ? address : `${label} (${address})`
}
