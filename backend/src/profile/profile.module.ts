import { DynamicModule, Module } from '@nestjs/common';
import { join } from 'node:path';
import type { Environment } from '../config/environment.js';
import { FolderStore } from './pictures/folder.store.js';
import { PictureConverter } from './pictures/picture.converter.js';
import { PictureStore } from './pictures/picture.store.js';
import { PicturesController } from './pictures/pictures.controller.js';
import { PicturesService } from './pictures/pictures.service.js';
import { S3Store } from './pictures/s3.store.js';
import { ProfileController } from './profile.controller.js';
import { EmbeddedProfiles } from './profiles.embedded.js';
import { Profiles } from './profiles.port.js';
import { RemoteProfiles } from './profiles.remote.js';

/** A hosted identity service keeps the profile too, unless `PROFILE_SERVICE_URL` names another service. */
@Module({})
export class ProfileModule {
  static with(environment: Environment): DynamicModule {
    const { PROFILE_SERVICE_URL: url, PROFILE_SERVICE_KEY: key, IDENTITY_URL } = environment;
    const service = url === undefined ? null : { url, key: key as string };
    if (IDENTITY_URL) {
      if (!service) return { module: ProfileModule };
      return {
        module: ProfileModule,
        controllers: [ProfileController],
        providers: [{ provide: Profiles, useFactory: () => new RemoteProfiles(service, null) }],
      };
    }
    return {
      module: ProfileModule,
      controllers: [ProfileController, PicturesController],
      providers: [
        EmbeddedProfiles,
        PictureConverter,
        PicturesService,
        { provide: PictureStore, useFactory: () => storeOf(environment) },
        {
          provide: Profiles,
          useFactory: (embedded: EmbeddedProfiles) =>
            service ? new RemoteProfiles(service, embedded) : embedded,
          inject: [EmbeddedProfiles],
        },
      ],
      exports: [PictureConverter, PictureStore],
    };
  }
}

/** The configured photo storage: a bucket, or else the data folder. */
function storeOf(environment: Environment): PictureStore {
  const { PICTURES_S3_ENDPOINT: endpoint } = environment;
  if (endpoint === undefined) return new FolderStore(join(environment.dataDir, 'pictures'));
  return new S3Store({
    endpoint,
    bucket: environment.PICTURES_S3_BUCKET as string,
    region: environment.PICTURES_S3_REGION,
    keyId: environment.PICTURES_S3_KEY_ID as string,
    secret: environment.PICTURES_S3_SECRET as string,
  });
}
