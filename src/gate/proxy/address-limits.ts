/** Limits what one IP address (/64 for IPv6) can occupy at once, so that one visitor cannot crowd out all others. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AddressStreams } from '../../http/address-streams.ts';
import { addressKey } from '../../platform/rate-limit.ts';
import { UPLOADS_AT_MOST } from './destination.ts';

export interface AddressLimitsOptions {
  /** 0: no limit. */
  requests: number;
  /** 0: no limit. */
  connections: number;
  /** The visitor's address, behind trusted proxies. */
  addressOf: (request: IncomingMessage) => string;
  /** Whether a peer is a trusted proxy, whose connections carry many visitors. */
  isTrusted: (address: string) => boolean;
}

export interface AddressLimits {
  /** False: refuse it. Counts until the connection closes. */
  tryTakeConnection(socket: Socket): boolean;
  /** undefined: refuse it. */
  tryTakeRequest(request: IncomingMessage): CountedRequest | undefined;
}

export interface CountedRequest {
  giveBack(): void;
  tryTakeUpload(): boolean;
  giveBackUpload(): void;
}

const UPLOADS_PER_ADDRESS = UPLOADS_AT_MOST / 8;

export function createAddressLimits(options: AddressLimitsOptions): AddressLimits {
  const requests = new AddressStreams(options.requests);
  const connections = new AddressStreams(options.connections);
  const uploads = new AddressStreams(options.requests === 0 ? 0 : UPLOADS_PER_ADDRESS);
  return {
    tryTakeConnection(socket) {
      const peer = socket.remoteAddress ?? '';
      if (options.isTrusted(peer)) return true;
      const address = addressKey(peer);
      if (!connections.tryTake(address)) return false;
      socket.once('close', () => connections.giveBack(address));
      return true;
    },
    tryTakeRequest(request) {
      const address = addressKey(options.addressOf(request));
      if (!requests.tryTake(address)) return undefined;
      return {
        giveBack: () => requests.giveBack(address),
        tryTakeUpload: () => uploads.tryTake(address),
        giveBackUpload: () => uploads.giveBack(address),
      };
    },
  };
}
