// The manifest of the app in Slack, as Slack's own type describes it. docs/slack/manifest.json is the same as a file.

import type { AppsManifestCreateArguments } from "@slack/web-api"

type Manifest = AppsManifestCreateArguments["manifest"]

const server = "https://holdpoint.example.com"

export const manifest = {
  display_information: {
    name: "Holdpoint",
    description: "Questions from programs and agents, answered where you work.",
    background_color: "#1f2937",
  },
  features: {
    app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    bot_user: { display_name: "Holdpoint", always_online: true },
    slash_commands: [
      {
        command: "/holdpoint",
        url: `${server}/slack/events`,
        description: "Link or unlink your account",
        usage_hint: "link | unlink",
        should_escape: false,
      },
    ],
  },
  oauth_config: {
    scopes: {
      bot: [
        "app_mentions:read",
        "channels:history",
        "chat:write",
        "commands",
        "im:history",
        "im:write",
        "users:read",
        "users:read.email",
      ],
    },
  },
  settings: {
    event_subscriptions: { request_url: `${server}/slack/events`, bot_events: ["app_mention", "message.im"] },
    interactivity: { is_enabled: true, request_url: `${server}/slack/interactivity` },
    org_deploy_enabled: false,
    socket_mode_enabled: false,
    token_rotation_enabled: false,
  },
} as const satisfies DeepReadonly<Manifest>

type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object | undefined ? DeepReadonly<T[K]> : T[K] }
