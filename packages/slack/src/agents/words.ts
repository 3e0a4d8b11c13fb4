// The texts in Slack that do not come from an agent.

export const replyWords = {
  stopped: "_Stopped._",
  empty: "_The agent ended its reply without any text._",
}

/** The names by which people address an agent: its name in the configuration, and its title. */
export interface NamedAgent {
  readonly name: string
  readonly title: string
}

export const privateWords = {
  underWay: (agent: string) =>
    `${agent} is still answering your last message in this thread, so this one was not passed on. Wait for the reply, or write “stop” to end it, and then send this again.`,
  waiting: (agent: string) =>
    `${agent} waits for your answer to a question, so this message was not passed on. Answer the question, or write “stop” to end the reply, and then send this again.`,
  tooMany:
    "You have too many replies in progress, so this message was not passed on. Wait for one to end, or write “stop” in its thread, and then send this again.",
  nothingToStop: "You have no reply in progress here. Only the person who asked can stop a reply.",
  stopping: "The reply is being stopped. Steps that have not begun will not be carried out.",
  whichAgent: (agents: readonly NamedAgent[]) =>
    `Say which agent should answer, for example “${agents[0]?.name ?? "name"}: …”.\n\n${agentList(agents)}`,
  help: (agents: readonly NamedAgent[], fallback: string | undefined) =>
    [
      "Write a message, and an agent answers in its thread. Each thread is a conversation of your own: other people who write in it talk to the agent with their own accounts.",
      agentList(agents, fallback),
      "To choose an agent, begin your message with its name and a colon. “stop” ends the reply in a thread, and “help” shows this message.",
    ].join("\n\n"),
}

const agentList = (agents: readonly NamedAgent[], fallback?: string): string =>
  agents
    .map(({ name, title }) => {
      const label = title === name ? `\`${name}\`` : `\`${name}\` (${title})`
      return `• ${label}${name === fallback ? ", which answers if you name no agent" : ""}`
    })
    .join("\n")
