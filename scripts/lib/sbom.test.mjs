import { expect, test } from '@jest/globals';
import { billOfMaterials } from './sbom.mjs';

test('the bill of materials is CycloneDX and lists the packages the portal runs on, each with its version', () => {
  const { bomFormat, metadata, components } = billOfMaterials();
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'orange-id-portal']);
  const purls = components.map(({ purl }) => purl);
  for (const name of ['fastify', 'typeorm', 'pg', 'jose', 'socket.io', 'react', 'antd', 'xstate', 'zod']) {
    expect(purls).toContainEqual(expect.stringMatching(new RegExp(`^pkg:npm/${name}@\\d+\\.\\d+\\.\\d+$`)));
  }
}, 30_000);
