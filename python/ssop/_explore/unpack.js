// What `packed` of ssop/_explore/explorer.py made of bytes: deflated, as base64. The answer is a Response.
export const unpacked = (text) => new Response(
  new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
