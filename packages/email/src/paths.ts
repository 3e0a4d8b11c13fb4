// The paths of e-mail's pages.

export const emailPaths = {
  /** The page behind the unsubscribe link of a mail. Its button stops mails of one kind to one person. */
  unsubscribe: "/unsubscribe/:token",
  /** Sends mails to the person's address again. */
  revive: "/account/reach/address",
} as const
