terraform {
  required_version = ">= 1.6"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}

provider "aws" {
  region = var.region
}

# CloudFront requires Lambda@Edge functions and certificates in us-east-1.
provider "aws" {
  alias  = "edge"
  region = "us-east-1"
}
