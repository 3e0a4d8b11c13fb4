// The paths of Slack: where Slack sends its requests, and the pages on which people link their accounts.

export const slackPaths = {
  /** Where Slack sends events, and presses of buttons and submitted modals. */
  events: "/slack/events",
  interactivity: "/slack/interactivity",
  /** Where a person links their Slack account, and unlinks it. */
  link: "/slack/link/:token",
  unlink: "/account/slack/:id/unlink",
} as const
