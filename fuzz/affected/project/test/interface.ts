import { expect } from 'chai'
import { artifacts, ethers } from 'hardhat'

describe('IPriced', () => {
  it('has the id that other projects know', async () => {
    const { abi } = await artifacts.readArtifact('IPriced')
    const [event, method] = ethers.Interface.from(abi).fragments
    expect(event!.format()).to.equal('PriceChanged(uint256,uint256)')
    expect(method!.format()).to.equal('priceOf(uint256)')
  })
})
