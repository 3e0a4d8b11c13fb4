// Times as models and people read them: ISO 8601.

/** From seconds since 1970, as most apps count. */
export const fromSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(".000Z", "Z")
