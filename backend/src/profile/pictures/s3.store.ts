import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import { ServiceAnswer, ServiceClient, ServiceTimes } from '../../http/service.client.js';
import { SharedAnswers } from '../../http/shared.answers.js';
import { PictureStore, storeDown } from './picture.store.js';

export interface S3Bucket {
  /** Without a trailing slash; the bucket's name follows it (path style). */
  endpoint: string;
  bucket: string;
  region: string;
  keyId: string;
  secret: string;
}

/** Photos as objects of a bucket, `pictures/<name>.webp`; requests are signed with AWS Signature Version 4. */
export class S3Store extends PictureStore {
  private readonly service: ServiceClient;
  private readonly reads = new SharedAnswers<Buffer | null>(0);

  constructor(
    private readonly bucket: S3Bucket,
    times: Partial<ServiceTimes> = {},
  ) {
    super();
    this.service = new ServiceClient(
      {
        name: 'Picture storage',
        url: bucket.endpoint,
        unavailable: 'profile.unavailable',
        message: storeDown,
      },
      times,
    );
  }

  put(name: string, bytes: Buffer, owner: string): Promise<void> {
    return this.service.run(owner, async () => {
      const answer = await this.ask('PUT', name, bytes);
      if (answer.status >= 300) throw this.refusal('PUT', name, answer);
    });
  }

  read(name: string, owner: string): Promise<Buffer | null> {
    return this.service.run(owner, () => this.reads.get(name, () => this.readOnce(name)));
  }

  private async readOnce(name: string): Promise<Buffer | null> {
    const answer = await this.ask('GET', name);
    if (answer.status === 404) return null;
    if (answer.status >= 300) throw this.refusal('GET', name, answer);
    return answer.bytes;
  }

  async remove(name: string): Promise<void> {
    const answer = await this.ask('DELETE', name);
    if (answer.status >= 300 && answer.status !== 404) throw this.refusal('DELETE', name, answer);
  }

  private async ask(method: string, name: string, body?: Buffer): Promise<ServiceAnswer> {
    const path = this.pathOf(name);
    const { keyId: accessKeyId, secret: secretAccessKey, region, endpoint } = this.bucket;
    const signed = await new AwsV4Signer({
      method,
      url: `${endpoint}${path}`,
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        ...(body ? { 'content-type': 'image/webp' } : {}),
      },
    }).sign();
    return this.service.send(path, {
      method,
      headers: Object.fromEntries(signed.headers),
      ...(body ? { body: new Uint8Array(body) } : {}),
    });
  }

  private refusal(method: string, name: string, { status, bytes }: ServiceAnswer): Error {
    // The error document names the reason, as <Code>AccessDenied</Code>.
    const code = /<Code>(\w{1,60})<\/Code>/.exec(bytes.toString('latin1'))?.[1];
    const problem = code === undefined ? String(status) : `${status} ${code}`;
    return this.service.invalidAnswer(this.pathOf(name), `returned status ${problem} for ${method}`);
  }

  private pathOf(name: string): string {
    return `/${this.bucket.bucket}/pictures/${name}.webp`;
  }
}
