process.env.DEV_NODE_NETWORK ??= 'ethereum'

module.exports = { require: 'dev-node/mocha', spec: 'test' }
