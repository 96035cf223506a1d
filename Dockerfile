# An image with the node, made from the packed package: npm pack && docker build --tag dev-node .

FROM node:22-slim AS package
WORKDIR /opt/dev-node
COPY dev-node-*.tgz ./
RUN npm install --omit=dev --no-audit --no-fund --no-save ./dev-node-*.tgz

FROM node:22-slim
COPY --from=package /opt/dev-node/node_modules /opt/dev-node/node_modules
# A new volume takes over the owner of the folder.
RUN install -d -o 1000 -g 1000 /state
# The port is the same for every network, so that it can be published and checked.
ENV DEV_NODE_HOST=all DEV_NODE_PORT=4444 DEV_NODE_STATE=/state/chain.state XDG_CACHE_HOME=/state/cache
WORKDIR /state
VOLUME /state
EXPOSE 4444
# A number, so that a cluster can see that it is not root.
USER 1000:1000
HEALTHCHECK --interval=2s --timeout=5s --start-period=10s --retries=5 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.DEV_NODE_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/dev-node/node_modules/dev-node/dist/dev-node.cjs"]
CMD ["start"]
