// The path and the issuer of the embedded identity provider.

export const mount = "/idp"

export const issuerAt = (publicUrl: string): string => `${new URL(publicUrl).origin}${mount}`
