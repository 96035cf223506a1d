globalThis.chain = { url: process.env.ANVIL_URL }
