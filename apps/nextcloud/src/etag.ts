// Strips quotes, the weak prefix and the suffix that a compressing proxy adds from an etag.

export const toBareEtag = (etag: string): string =>
  etag
    .trim()
    .replace(/^W\//i, "")
    .replace(/^"|"$/g, "")
    .replace(/(-{1,2}|;)(gzip|br|zstd|deflate)$/i, "")
