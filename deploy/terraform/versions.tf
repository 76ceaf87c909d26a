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

# Functions of CloudFront, and its certificates, are in this region wherever the rest is.
provider "aws" {
  alias  = "edge"
  region = "us-east-1"
}
