import { Controller, Get, Ip, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PortalError } from '../../http/portal.error.js';
import { isPictureName } from './picture.store.js';
import { PicturesService } from './pictures.service.js';

@ApiTags('Profile')
@Controller('pictures')
export class PicturesController {
  constructor(private readonly pictures: PicturesService) {}

  @Get(':file')
  @ApiOperation({
    summary: 'Get a profile photo; its URL can’t be guessed and its content never changes',
  })
  @ApiResponse({
    status: 200,
    description: 'The photo.',
    content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } },
  })
  async read(@Param('file') file: string, @Ip() address: string, @Res() reply: FastifyReply): Promise<void> {
    const name = file.replace(/\.webp$/, '');
    const bytes = isPictureName(name) && file !== name ? await this.pictures.read(name, address) : null;
    if (bytes === null) throw new PortalError('route.notFound');
    void reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      // Opened directly it is an image and nothing else; pages of other portals may embed it too.
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-disposition', 'inline')
      .type('image/webp')
      .send(bytes);
  }
}
