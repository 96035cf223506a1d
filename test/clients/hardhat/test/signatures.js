const { expect } = require('chai')
const { ethers } = require('hardhat')

describe('Signatures', () => {
  it('of messages lead to the account of the node that signed', async () => {
    const [, signer] = await ethers.getSigners()
    const signature = await signer.signMessage('hello')
    expect(ethers.verifyMessage('hello', signature)).to.equal(signer.address)
  })

  it('of typed data lead to the account of the node that signed', async () => {
    const [, signer] = await ethers.getSigners()
    const domain = { name: 'Post', chainId: (await ethers.provider.getNetwork()).chainId }
    const types = { Mail: [{ name: 'amounts', type: 'uint256[]' }] }
    const message = { amounts: [1n, 2n ** 255n] }
    const signature = await signer.signTypedData(domain, types, message)
    expect(ethers.verifyTypedData(domain, types, message, signature)).to.equal(signer.address)
  })
})
