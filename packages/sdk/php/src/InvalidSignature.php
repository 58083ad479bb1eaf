<?php

declare(strict_types=1);

namespace Heliograph;

/** Why a call is not one of the installation's. */
final class InvalidSignature extends \RuntimeException
{
}
