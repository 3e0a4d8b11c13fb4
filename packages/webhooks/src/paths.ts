// The path of the page of a program's webhook.

export const webhookPaths = { program: "/account/keys/:id/webhook" } as const
